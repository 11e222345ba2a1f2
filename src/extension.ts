import * as vscode from 'vscode';
import type { ToolSearchApi } from './api';
import { registerParticipant } from './chat/participant';
import { createAgentTools } from './core/agentTools';
import { Ledger } from './core/ledger';
import { checkPatterns } from './core/patterns';
import { oneLine } from './core/plainText';
import type { ToolRunner } from './core/ports';
import type { TurnReport } from './core/report';
import { ResultRenderers } from './core/resultRenderer';
import { createToolFilter } from './core/search/filter';
import { ToolIndex } from './core/search/index';
import { createSearchPort } from './core/search/port';
import { StrategyRegistry } from './core/search/registry';
import { BUILT_IN_STRATEGIES } from './core/search/types';
import { Session } from './core/session';
import type { Diagnostic } from './core/settings';
import { InspectorPanel } from './inspector/panel';
import { createVscodeLmPort } from './models/vscodeLm/port';
import { createSearchOnlyProvider } from './models/vscodeLm/searchOnlyProvider';
import { CatalogCache } from './tools/catalogCache';
import { CatalogSource } from './tools/catalogSource';
import { createTurnRunner } from './tools/invoke';
import { createArgumentCheck } from './tools/validateArguments';
import { createVscodeRunner, mayAskUser } from './tools/vscodeInvoke';
import { VscodeMcpConfig } from './tools/vscodeMcpConfig';
import { createStorageFile, createVscodeToolHost } from './tools/vscodeTools';
import { registerCommands } from './vscode/commands';
import { createInspectorSource, inspectorStrings } from './vscode/inspectorSource';
import { registerLanguageModelTools } from './vscode/languageModelTools';
import { keepLedger, readLedger } from './vscode/ledgerStore';
import { PinStore } from './vscode/pins';
import { SettingsStore } from './vscode/settings';
import { StatusBar } from './vscode/statusBar';

/** The vendor of our own models, as in package.json. */
const VENDOR = 'toolsearch';

/** What auto, eager and deferred mean for all tools at once. */
const MODE_OF_PIN = { auto: 'auto', eager: 'off', deferred: 'on' } as const;

/** Builds the pieces and wires them. Returns at once: files are read while VS Code goes on, and a first question waits for them. */
export function activate(context: vscode.ExtensionContext): ToolSearchApi {
  const log = vscode.window.createOutputChannel('Tool Search', { log: true });
  const warn = (message: string) => log.warn(oneLine(message));
  const storage = context.storageUri ?? context.globalStorageUri;

  // Settings, pins and strategies.
  const registry = new StrategyRegistry();
  const renderers = new ResultRenderers();
  const strategies = () => [...BUILT_IN_STRATEGIES, ...registry.names()];
  const settings = new SettingsStore(strategies);
  const pins = new PinStore(context.workspaceState);

  // Tools, and the index over them.
  const config = new VscodeMcpConfig(context.globalStorageUri);
  const toolHost = createVscodeToolHost(config, () => settings.current);
  const source = new CatalogSource(toolHost, warn);
  const cache = new CatalogCache(createStorageFile(storage, 'catalog.json'), warn);
  const index = new ToolIndex();
  const search = createSearchPort(index, registry);
  const checkArguments = createArgumentCheck(warn);
  const runnerFor = (token: vscode.ChatParticipantToolToken | undefined, onSlow: (id: string) => void): ToolRunner =>
    createTurnRunner(createVscodeRunner(token), {
      settings: settings.current,
      checkArguments,
      mayAsk: mayAskUser,
      onSlow: (tool) => onSlow(tool.id),
    });

  // Turns.
  const ledger = new Ledger();
  const session = new Session({
    source,
    search,
    ledger,
    renderers,
    settings: () => settings.current,
    pins: () => pins.current,
    now: Date.now,
  });
  const agentTools = createAgentTools({ source, search, settings: () => settings.current });
  const ended = new vscode.EventEmitter<TurnReport>();

  // What is shown is redrawn after any change.
  const changed = new vscode.EventEmitter<void>();
  const diagnostics = (): readonly Diagnostic[] => [
    ...settings.diagnostics,
    ...config.diagnostics,
    ...source.diagnostics,
    ...checkPatterns(settings.current, source.catalog),
  ];
  const strings = inspectorStrings();
  const inspector = new InspectorPanel(
    context.extensionUri,
    createInspectorSource(
      {
        source,
        search,
        registered: () => registry.names(),
        session,
        ledger,
        settings: () => settings.current,
        pins: () => pins.current,
        diagnostics,
        startingSince: () => source.startingSince,
        onDidChange: (listener) => {
          const subscription = changed.event(listener);
          return () => subscription.dispose();
        },
        // A setting for everything is the mode, and stays where the user keeps settings.
        pin: (target, pin) =>
          target.kind === 'all' ? settings.update('mode', MODE_OF_PIN[pin]) : pins.set({ kind: target.kind, id: target.id }, pin),
        startServers: () => source.startServers('byUser'),
      },
      strings,
    ),
    strings,
  );
  let logged = '';
  const logDiagnostics = () => {
    const lines = diagnostics().map(({ source: where, message }) => `${where}: ${message}`);
    if (lines.join('\n') === logged) return;
    logged = lines.join('\n');
    for (const line of lines) warn(line);
  };
  const statusBar = new StatusBar();
  const updateStatusBar = () => {
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

  source.onDidChange((catalog) => {
    index.setTools(catalog.tools);
    cache.save(catalog);
    changed.fire();
  });
  ledger.onDidChange(() => changed.fire());
  session.onDidEndTurn((report) => {
    ended.fire(report);
    changed.fire();
  });
  registry.onDidChange(() => settings.reload());

  const ledgerFile = createStorageFile(storage, 'turns.json');
  const started = start();
  async function start(): Promise<void> {
    const [, cached, events] = await Promise.all([config.load(), cache.load(), readLedger(ledgerFile, warn)]);
    ledger.restore(events);
    const stopKeeping = keepLedger(ledger, ledgerFile, warn);
    context.subscriptions.push(new vscode.Disposable(() => void stopKeeping()), new vscode.Disposable(() => void cache.flush()));
    source.useCached(cached);
    source.follow();
    updateStatusBar();
  }

  context.subscriptions.push(
    log,
    settings,
    pins,
    config,
    source,
    ended,
    changed,
    inspector,
    statusBar,
    changed.event(updateStatusBar),
    changed.event(logDiagnostics),
    settings.onDidChange(() => {
      source.refresh();
      changed.fire();
    }),
    pins.onDidChange(() => changed.fire()),
    config.onDidChange(() => source.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => source.refresh()),
    vscode.lm.registerLanguageModelChatProvider(
      VENDOR,
      createSearchOnlyProvider(
        () => settings.current.searchOnlyModel,
        (listener, self, disposables) => settings.onDidChange(() => listener.call(self), undefined, disposables),
      ),
    ),
    registerLanguageModelTools({
      search: async (input, signal) => {
        await started;
        return agentTools.search(input, signal);
      },
      describe: (input) => agentTools.describe(input),
      call: (input, token, signal) =>
        agentTools.call(
          input,
          runnerFor(token, (id) => warn(`${id} takes long.`)),
          signal,
        ),
    }),
    registerCommands({
      settings,
      pins,
      log,
      catalog: () => source.catalog,
      refresh: async () => {
        await config.load();
        // Not awaited: it stays pending while VS Code asks about trust.
        void source.startServers('byUser');
        return source.refresh();
      },
      registeredStrategies: () => registry.names(),
      createFilter: createToolFilter,
      loadingOf: (id) => session.overview().loading.get(id),
      openInspector: () => inspector.show(),
    }),
    registerParticipant({
      source,
      search,
      ledger,
      iconPath: vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'),
      settings: () => settings.current,
      strategies,
      overview: () => session.overview(),
      writeSetting: (key, value) => settings.update(key, value),
      pin: (target, pin) => pins.set(target, pin),
      whenReady: async (options) => {
        await started;
        return source.whenReady(options);
      },
      runTurn: ({ model, toolInvocationToken, ...question }, sink, signal) =>
        session.ask(
          {
            ...question,
            port: createVscodeLmPort(model),
            runner: runnerFor(toolInvocationToken, (id) =>
              sink.warning(vscode.l10n.t('{0} has not answered for {1} s.', id, settings.current.toolTimeoutSeconds)),
            ),
          },
          sink,
          signal,
        ),
    }),
  );
  // VS Code answers "Language model unavailable" before our handler runs while no model has been resolved.
  void vscode.lm.selectChatModels();

  return {
    registerStrategy: (name, strategy) => new vscode.Disposable(registry.register(name, strategy)),
    registerResultRenderer: (name, render) => new vscode.Disposable(renderers.register(name, render)),
    onDidEndTurn: ended.event,
    lastReport: () => session.lastReport,
  };
}
