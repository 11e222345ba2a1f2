import * as vscode from 'vscode';
import type { Diagnostic } from '../core/catalog/diagnostic';
import type { Ledger } from '../core/ledger/ledger';
import { describeConfiguration } from '../core/planning/configuration';
import { createToolFilter } from '../core/search/filter';
import { findIn } from '../core/search/find';
import type { Session } from '../core/turn/session';
import { auditText } from '../inspector/audit';
import { createInspectorSource, createViewInputs, type InspectorDeps, inspectorStrings } from '../inspector/host/inspectorSource';
import { INSPECTOR_VIEW_TYPE, InspectorPanel } from '../inspector/host/panel';
import { EXPORTED_VIEW_TYPE, SessionFiles } from '../inspector/host/sessionFiles';
import { createSuggestionActions } from '../inspector/host/suggestionActions';
import { createText } from '../inspector/text';
import { registerAuditTool } from '../vscode/auditTool';
import { registerCommands } from '../vscode/commands';
import { Comparison } from '../vscode/comparison';
import { copyMcpEntry, type McpEndpoint } from '../vscode/mcpEndpoint';
import { StatusBar } from '../vscode/statusBar';
import type { Models } from './models';
import type { Shared } from './shared';
import type { Tools } from './tools';
import type { Turns } from './turns';

/** What auto, eager and deferred mean for all tools at once. */
const MODE_OF_PIN = { auto: 'auto', eager: 'off', deferred: 'on' } as const;

/** What is shown and what the user can ask for beside the chat: the inspector, exports, the status bar, commands, the log. */
export function composeInspector(shared: Shared, tools: Tools, turns: Turns, models: Models, endpoint: McpEndpoint, ledger: Ledger): void {
  const { context, log, secrets, warn } = shared;
  const { settings, pins, source, config, index } = tools;
  const { session } = turns;
  const diagnostics = () => {
    const { coreNote } = session.overview();
    return [
      ...tools.diagnostics(),
      ...(coreNote ? [{ severity: 'warning' as const, source: 'toolsearch.coreTools', message: coreNote }] : []),
    ];
  };
  const changed = onAnyChange(context, tools, session, ledger);
  const strings = inspectorStrings();
  const comparison = new Comparison();
  const deps: InspectorDeps = {
    source,
    search: tools.search,
    registered: () => tools.registry.names(),
    session,
    ledger,
    settings: () => settings.current,
    pins: () => pins.current,
    diagnostics,
    startingSince: () => source.startingSince,
    onDidChange: (listener) => {
      const subscription = changed(listener);
      return () => subscription.dispose();
    },
    // A setting for everything is the mode, and stays where the user keeps settings.
    pin: (target, pin) =>
      target.kind === 'all' ? settings.update('mode', MODE_OF_PIN[pin]) : pins.set({ kind: target.kind, id: target.id }, pin),
    changed: {
      tools: () => source.changed,
      withheld: () => settings.current.changedTools === 'ask',
      compare: (server) =>
        comparison.show(
          server,
          source.changed.filter((tool) => tool.server === server),
        ),
      accept: (server) => source.acceptChanged(server),
    },
    startServers: (only) => source.startServers('byUser', only),
    runScript: turns.runScript,
    suggestions: {
      ...createSuggestionActions(settings, context.workspaceState),
      find: findIn(index),
      findable: () => index.settled(),
      showServer: (name) => config.show(name),
    },
  };
  const viewInputs = createViewInputs(deps, strings);
  const files = new SessionFiles({
    extensionUri: context.extensionUri,
    version: context.extension.packageJSON.version,
    session: viewInputs,
    strings,
    memento: context.workspaceState,
    secrets: async () => secrets.with([...(await models.keys.all()), ...(await tools.hosting.inputs.kept())]),
  });
  const inspectorSource = createInspectorSource(deps, viewInputs, files.handle);
  const inspector = new InspectorPanel(context.extensionUri, inspectorSource, strings);
  context.subscriptions.push(
    comparison,
    inspector,
    vscode.window.registerWebviewPanelSerializer(INSPECTOR_VIEW_TYPE, inspector),
    files,
    vscode.window.registerWebviewPanelSerializer(EXPORTED_VIEW_TYPE, files),
    registerAuditTool(() => auditText(inspectorSource.state(undefined), createText(strings, vscode.env.language))),
    registerCommands({
      settings,
      pins,
      keys: models.keys,
      testKey: models.test,
      log,
      hide: secrets.hide,
      catalog: () => source.catalog,
      refresh: async () => {
        await config.load();
        // Not awaited: it stays pending while VS Code asks about trust.
        void source.startServers('byUser');
        return source.refresh();
      },
      registeredStrategies: () => tools.registry.names(),
      createFilter: createToolFilter,
      loadingOf: (id) => session.overview().loading.get(id),
      openInspector: () => inspector.show(),
      configuration: () =>
        describeConfiguration({
          settings: settings.current,
          origins: (key) => settings.originsOf(key),
          pins: pins.current,
          overview: session.overview(),
          problems: diagnostics(),
        }),
      copyMcpEntry: () => copyMcpEntry(endpoint, () => settings.update('mcp.endpoint', true)),
      exportSession: () => files.export(),
      openExportedSession: () => files.open(),
      forgetInputs: () => tools.hosting.inputs.forget(),
      forgetLearnt: () => tools.learnt.forget(),
    }),
  );
  context.subscriptions.push(showStatus(tools, session, diagnostics, changed), changed(logProblems(diagnostics, warn)));
}

/** Fires after any change of what is shown. */
function onAnyChange(context: vscode.ExtensionContext, tools: Tools, session: Session, ledger: Ledger): vscode.Event<void> {
  const changed = new vscode.EventEmitter<void>();
  const fire = () => changed.fire();
  tools.source.onDidChange(fire);
  ledger.onDidChange(fire);
  session.onDidEndTurn(fire);
  context.subscriptions.push(changed, tools.settings.onDidChange(fire), tools.pins.onDidChange(fire));
  return changed.event;
}

function showStatus(
  { source }: Tools,
  session: Session,
  diagnostics: () => readonly Diagnostic[],
  changed: vscode.Event<void>,
): vscode.Disposable {
  const statusBar = new StatusBar();
  const update = () => {
    const { counts } = session.overview();
    const { servers } = source.catalog;
    const named = (state: string) => servers.filter((server) => server.state === state).map((server) => server.name);
    statusBar.update({
      inContext: counts.eager + counts.discovered,
      total: counts.eager + counts.discovered + counts.deferred,
      startingServers: named('starting'),
      failedServers: named('failed'),
      diagnostics: diagnostics().length,
      trusted: vscode.workspace.isTrusted,
    });
  };
  return vscode.Disposable.from(statusBar, changed(update));
}

/** Logs what is wrong whenever that is something else than before. */
function logProblems(diagnostics: () => readonly Diagnostic[], warn: (message: string) => void): () => void {
  let logged = '';
  return () => {
    const lines = diagnostics().map(({ source, message }) => `${source}: ${message}`);
    if (lines.join('\n') === logged) return;
    logged = lines.join('\n');
    for (const line of lines) warn(line);
  };
}
