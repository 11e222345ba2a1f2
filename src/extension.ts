import * as vscode from 'vscode';
import type { ToolSearchApi } from './api';
import { registerParticipant } from './chat/participant';
import { Ledger } from './core/ledger';
import type { TurnReport } from './core/report';
import { ResultRenderers } from './core/resultRenderer';
import { ToolIndex } from './core/search/index';
import { createSearchPort } from './core/search/port';
import { StrategyRegistry } from './core/search/registry';
import { BUILT_IN_STRATEGIES } from './core/search/types';
import { Session } from './core/session';
import { NO_PINS } from './core/settings';
import { InspectorPanel } from './inspector/panel';
import { createVscodeLmPort } from './models/vscodeLm/port';
import { createSearchOnlyProvider } from './models/vscodeLm/searchOnlyProvider';
import { CatalogCache } from './tools/catalogCache';
import { CatalogSource } from './tools/catalogSource';
import { createTurnRunner } from './tools/invoke';
import { createVscodeRunner } from './tools/vscodeInvoke';
import { VscodeMcpConfig } from './tools/vscodeMcpConfig';
import { createStorageFile, createVscodeToolHost } from './tools/vscodeTools';
import { createInspectorSource, inspectorStrings } from './vscode/inspectorSource';
import { SettingsStore } from './vscode/settings';

export async function activate(context: vscode.ExtensionContext): Promise<ToolSearchApi> {
  const log = vscode.window.createOutputChannel('Tool Search', { log: true });
  const registry = new StrategyRegistry();
  const renderers = new ResultRenderers();
  const settings = new SettingsStore(() => [...BUILT_IN_STRATEGIES, ...registry.names()]);
  const config = new VscodeMcpConfig(context.globalStorageUri);
  const source = new CatalogSource(
    createVscodeToolHost(config, () => settings.current),
    (message) => log.warn(message),
  );
  const index = new ToolIndex();
  source.onDidChange((catalog) => index.setTools(catalog.tools));
  const search = createSearchPort(index, registry);
  const ledger = new Ledger();
  const session = new Session({
    source,
    search,
    ledger,
    renderers,
    settings: () => settings.current,
    pins: () => NO_PINS,
    now: () => Date.now(),
  });
  const ended = new vscode.EventEmitter<TurnReport>();
  session.onDidEndTurn((report) => ended.fire(report));
  const cache = new CatalogCache(createStorageFile(context.storageUri ?? context.globalStorageUri, 'catalog.json'), (message) =>
    log.warn(message),
  );

  const changed = new vscode.EventEmitter<void>();
  const fire = () => changed.fire();
  ledger.onDidChange(fire);
  source.onDidChange(fire);
  settings.onDidChange(fire);
  const strings = inspectorStrings();
  const inspector = new InspectorPanel(
    context.extensionUri,
    createInspectorSource(
      {
        source,
        session,
        ledger,
        settings: () => settings.current,
        pins: () => NO_PINS,
        diagnostics: () => [...settings.diagnostics, ...config.diagnostics, ...source.diagnostics],
        onDidChange: (listener) => {
          const subscription = changed.event(listener);
          return () => subscription.dispose();
        },
        pin: async () => {},
        startServers: () => source.startServers('byUser'),
      },
      strings,
    ),
    strings,
  );
  context.subscriptions.push(
    inspector,
    vscode.commands.registerCommand('toolsearch.openInspector', () => inspector.show()),
    log,
    settings,
    config,
    source,
    ended,
    vscode.lm.registerLanguageModelChatProvider(
      'toolsearch',
      createSearchOnlyProvider(
        () => settings.current.searchOnlyModel,
        (listener, self, disposables) => settings.onDidChange(() => listener.call(self), undefined, disposables),
      ),
    ),
    registerParticipant({
      source,
      search,
      ledger,
      log,
      iconPath: vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'),
      settings: () => settings.current,
      strategies: () => [...BUILT_IN_STRATEGIES, ...registry.names()],
      overview: () => session.overview(),
      writeSetting: (key, value) => settings.update(key, value),
      pin: async () => {},
      runTurn: ({ model, toolInvocationToken, ...question }, sink, signal) =>
        session.ask(
          {
            ...question,
            port: createVscodeLmPort(model),
            runner: createTurnRunner(createVscodeRunner(toolInvocationToken), {
              settings: settings.current,
              mayAsk: (tool) => tool.annotations?.readOnlyHint !== true,
              onSlow: (tool) => sink.warning(`${tool.id} is slow`),
            }),
          },
          sink,
          signal,
        ),
    }),
  );
  // VS Code answers "Language model unavailable" before our handler runs while no model has been resolved.
  void vscode.lm.selectChatModels();
  await config.load();
  source.useCached(await cache.load());
  source.onDidChange((catalog) => cache.save(catalog));
  source.follow();
  return {
    registerStrategy: (name, strategy) => new vscode.Disposable(registry.register(name, strategy)),
    registerResultRenderer: (name, render) => new vscode.Disposable(renderers.register(name, render)),
    onDidEndTurn: ended.event,
    lastReport: () => session.lastReport,
  };
}
