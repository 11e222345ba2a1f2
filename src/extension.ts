import * as vscode from 'vscode';
import type { ToolSearchApi } from './api';
import { registerParticipant } from './chat/participant';
import { createAgentTools } from './core/agents/agentTools';
import { RelayTurns } from './core/agents/relayTurns';
import type { Diagnostic } from './core/catalog/diagnostic';
import { ResultRenderers } from './core/hooks/resultRenderer';
import { TurnTools } from './core/hooks/turnTools';
import { Ledger } from './core/ledger/ledger';
import type { TurnReport } from './core/ledger/report';
import { describeConfiguration } from './core/planning/configuration';
import { checkPatterns } from './core/planning/patterns';
import { createToolFilter } from './core/search/filter';
import { findIn } from './core/search/find';
import { ToolIndex } from './core/search/index';
import { createSearchPort } from './core/search/port';
import { StrategyRegistry } from './core/search/registry';
import { BUILT_IN_STRATEGIES } from './core/search/types';
import { oneLine } from './core/text/plainText';
import { Session } from './core/turn/session';
import { createInspectorSource, createViewInputs, type InspectorParts, inspectorStrings } from './inspector/host/inspectorSource';
import { INSPECTOR_VIEW_TYPE, InspectorPanel } from './inspector/host/panel';
import { EXPORTED_VIEW_TYPE, SessionFiles } from './inspector/host/sessionFiles';
import { createSuggestionActions } from './inspector/host/suggestionActions';
import { createNativePorts } from './models/native/createPorts';
import { choosePort } from './models/vscodeLm/choosePort';
import { registerNatives } from './models/vscodeLm/registerNatives';
import { createSearchOnlyProvider } from './models/vscodeLm/searchOnlyProvider';
import { createArgumentCheck } from './tools/validateArguments';
import { VscodeHosting } from './tools/vscode/hosting';
import { VscodeMcpConfig } from './tools/vscode/mcpConfig';
import { createStorageFile } from './tools/vscode/vscodeTools';
import { ApiKeys } from './vscode/apiKeys';
import { breathe } from './vscode/breathe';
import { registerCommands } from './vscode/commands';
import { Consent } from './vscode/consent';
import { registerLanguageModelTools } from './vscode/languageModelTools';
import { keepLedger, readLedger } from './vscode/ledgerStore';
import { PinStore } from './vscode/pins';
import { SettingsStore } from './vscode/settings';
import { StatusBar } from './vscode/statusBar';

/** The vendor of our own models, as in package.json. */
const VENDOR = 'toolsearch';

/** The longest that a search of another agent waits for servers, in milliseconds. */
const AGENT_WAIT_MS = 10_000;

/** What auto, eager and deferred mean for all tools at once. */
const MODE_OF_PIN = { auto: 'auto', eager: 'off', deferred: 'on' } as const;

/** Ends what runs for a window. */
let stop: () => Promise<void> = async () => {};

/** VS Code waits for this when a window closes or reloads. */
export function deactivate(): Promise<void> {
  return stop();
}

/** Builds the pieces and wires them. Returns at once: files are read while VS Code goes on, and a first question waits for them. */
export function activate(context: vscode.ExtensionContext): ToolSearchApi {
  const log = vscode.window.createOutputChannel('Tool Search', { log: true });
  const warn = (message: string) => log.warn(oneLine(message));
  const storage = context.storageUri ?? context.globalStorageUri;

  // Settings, pins and strategies.
  const registry = new StrategyRegistry();
  const renderers = new ResultRenderers();
  const turnTools = new TurnTools();
  const strategies = () => [...BUILT_IN_STRATEGIES, ...registry.names()];
  const settings = new SettingsStore(strategies);
  const pins = new PinStore(context.workspaceState);

  // Tools, and the index over them.
  const config = new VscodeMcpConfig(context.globalStorageUri);
  const consent = new Consent();
  const hosting = new VscodeHosting(context, config, () => settings.current, log, consent.ask.bind(consent));
  const { source } = hosting;
  stop = () => source.dispose();
  const index = new ToolIndex();
  const search = createSearchPort(index, registry);
  const checkArguments = createArgumentCheck(warn, breathe);

  // Turns.
  const ledger = new Ledger();
  const session = new Session({
    source,
    search,
    ledger,
    renderers,
    turnTools,
    breathe,
    settings: () => settings.current,
    pins: () => pins.current,
    now: Date.now,
  });
  const agentTools = createAgentTools({
    source,
    search,
    ledger,
    settings: () => settings.current,
    renderResult: (answer, signal) => renderers.render(answer, signal),
    now: Date.now,
    warn,
  });
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
  const inspectorParts: InspectorParts = {
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
    startServers: (only) => source.startServers('byUser', only),
    suggestions: {
      ...createSuggestionActions(settings, context.workspaceState),
      find: findIn(index),
      findable: () => index.settled(),
      showServer: (name) => config.show(name),
    },
  };
  const viewInputs = createViewInputs(inspectorParts, strings);
  const version: string = context.extension.packageJSON.version;
  const files = new SessionFiles({
    extensionUri: context.extensionUri,
    version,
    session: viewInputs,
    strings,
    memento: context.workspaceState,
    secrets: async () => [...(await keys.all()), ...(await hosting.inputs.kept())],
  });
  const inspector = new InspectorPanel(context.extensionUri, createInspectorSource(inspectorParts, viewInputs, files.handle), strings);
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
    index.follow(catalog.tools, breathe);
    changed.fire();
  });
  ledger.onDidChange(() => changed.fire());
  session.onDidEndTurn((report) => {
    ended.fire(report);
    changed.fire();
  });
  registry.onDidChange(() => settings.reload());

  // Models that are asked with the user's own keys.
  const keys = new ApiKeys(context.secrets, process.env);
  const relayTurns = new RelayTurns(ledger, Date.now);
  const models = registerNatives({
    turns: relayTurns,
    // Looked at anew: a tool of a server that we haven't seen yet would count as one of VS Code's, which are eager.
    catalog: () => source.refresh(),
    search,
    settings: () => settings.current,
    pins: () => pins.current,
    now: Date.now,
    log: warn,
    ready: () => started,
    ownKey: async (service) => (await keys.get(service))?.value,
    onDidChangeKeys: keys.onDidChange,
    onDidChangeSettings: settings.onDidChange,
    createPort: createNativePorts(),
  });

  const ledgerFile = createStorageFile(storage, 'turns.json');
  const started = start();
  async function start(): Promise<void> {
    const [, events] = await Promise.all([config.load(), readLedger(ledgerFile, warn)]);
    ledger.restore(events);
    const stopKeeping = keepLedger(ledger, ledgerFile, warn);
    context.subscriptions.push(new vscode.Disposable(() => void stopKeeping()));
    await source.use(settings.current.mcpHost);
    updateStatusBar();
  }

  context.subscriptions.push(
    log,
    settings,
    pins,
    config,
    ended,
    changed,
    inspector,
    vscode.window.registerWebviewPanelSerializer(INSPECTOR_VIEW_TYPE, inspector),
    files,
    vscode.window.registerWebviewPanelSerializer(EXPORTED_VIEW_TYPE, files),
    statusBar,
    keys,
    models.disposable,
    relayTurns,
    changed.event(updateStatusBar),
    changed.event(logDiagnostics),
    settings.onDidChange(async () => {
      await started;
      await source.use(settings.current.mcpHost);
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
    agentTools,
    consent,
    registerLanguageModelTools({
      named: (input) => agentTools.named(input),
      answer: async (call, token, signal) => {
        await started;
        await source.whenReady({ timeoutMs: AGENT_WAIT_MS, signal, onWait: () => {} });
        const onSlow = (id: string) => warn(`${id} takes long.`);
        return agentTools.answer(call, hosting.runnerFor(token, { checkArguments, onSlow, onProgress: () => {} }), signal);
      },
    }),
    registerCommands({
      settings,
      pins,
      keys,
      testKey: models.test,
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
      configuration: () =>
        describeConfiguration({
          settings: settings.current,
          origins: (key) => settings.originsOf(key),
          pins: pins.current,
          overview: session.overview(),
          problems: diagnostics(),
        }),
      exportSession: () => files.export(),
      openExportedSession: () => files.open(),
      forgetInputs: () => hosting.inputs.forget(),
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
            port: choosePort(model, models.natives),
            runner: hosting.runnerFor(toolInvocationToken, {
              checkArguments,
              onSlow: (id, seconds) => sink.warning(vscode.l10n.t('{0} has not answered for {1} s.', id, seconds)),
              onProgress: (id, text) => sink.progress(`${id}: ${text}`),
            }),
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
    prepareTools: (name, filter) => new vscode.Disposable(turnTools.addFilter(name, filter)),
    renderTool: (name, render) => new vscode.Disposable(turnTools.setRenderer(name, render)),
    registerResultRenderer: (name, render) => new vscode.Disposable(renderers.register(name, render)),
    onDidEndTurn: ended.event,
    lastReport: () => session.lastReport,
  };
}
