import * as vscode from 'vscode';
import type { Diagnostic } from '../core/catalog/diagnostic';
import { createPatternCheck } from '../core/planning/toolPatterns';
import type { ToolRunner } from '../core/ports';
import { StrategyRegistry } from '../core/search/strategies/registry';
import { BUILT_IN_STRATEGIES, type SearchPort } from '../core/search/types';
import type { WordsOf } from '../core/search/words/searchWords';
import { messageOf } from '../core/util/messageOf';
import { once } from '../core/util/once';
import { createArgumentCheck } from '../tools/arguments/validateArguments';
import { VscodeMcpConfig } from '../tools/vscode/mcpConfig';
import { ToolProviders } from '../tools/vscode/toolProviders';
import { ToolRunners } from '../tools/vscode/toolRunners';
import { ChatConfirmations } from '../ui/confirmations/chatConfirmations';
import { PinStore } from '../vscode/pinStore';
import { removeDataOfRemovedFeatures } from '../vscode/removedFeatures';
import { SettingsStore } from '../vscode/settings';
import type { Shared } from './shared';

/** The user's settings, the tools, the search, and the runners that call tools. */
export interface Tools {
  readonly settings: SettingsStore;
  readonly pins: PinStore;
  readonly registry: StrategyRegistry;
  readonly config: VscodeMcpConfig;
  readonly hosting: ToolProviders;
  readonly runners: ToolRunners;
  readonly source: ToolProviders['source'];
  readonly search: SearchPort;
  readonly checkArguments: ToolRunner['checkArguments'];
  /** Returns the problems in settings and in `mcp.json`. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Reads the files that define servers. There are no tools before that. */
  readonly load: () => Promise<void>;
}

/** Creates everything about tools: settings, pins, strategies, sources, search words and the search index. */
export function composeTools(shared: Shared): Tools {
  const { context, stored, secrets, warn, started, closing } = shared;
  const registry = new StrategyRegistry();
  const settings = new SettingsStore(() => [...BUILT_IN_STRATEGIES, ...registry.names()]);
  void removeDataOfRemovedFeatures(stored, warn);
  const pins = new PinStore(stored.memento);
  const config = new VscodeMcpConfig(context.globalStorageUri, () =>
    settings.current.mcpHost === 'extension' ? settings.current.mcpAgents : undefined,
  );
  const { hosting, runners } = composeHosting(shared, { settings, pins, config });
  const { source } = hosting;
  const checkPatterns = createPatternCheck();
  const search = composeSearch({ context, registry, source, warn });
  registry.onDidChange(() => settings.reload());
  closing.push(() => source.dispose());
  /** The reason why there are no tools; undefined if there are some. */
  let failure: Diagnostic | undefined;
  const use = async () => {
    try {
      await source.use(settings.current.mcpHost);
      failure = undefined;
    } catch (error) {
      failure = { severity: 'error', source: 'toolsearch.mcp.host', message: messageOf(error) };
    }
  };
  const learn = async () => {
    const { learnEntries } = await import('../tools/vscode/mcpClientSetup');
    await Promise.all([learnEntries(config, secrets), (await hosting.inputs()).learnKept(config.definitions)]);
  };
  const follow = () => {
    for (const { name } of config.servers) secrets.addName(name);
    if (config.definitions.length > 0) void learn();
    source.refresh();
  };
  context.subscriptions.push(
    settings,
    pins,
    config,
    settings.onDidChange(async () => {
      await started();
      await config.follow();
      await use();
      source.refresh();
    }),
    config.onDidChange(() => follow()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => follow()),
  );
  return {
    settings,
    pins,
    registry,
    config,
    hosting,
    runners,
    source,
    search,
    checkArguments: createArgumentCheck(warn),
    diagnostics: () => [
      ...(failure ? [failure] : []),
      ...settings.diagnostics,
      ...config.diagnostics,
      // If the extension runs the servers, it gives them different names.
      ...(settings.current.mcpHost === 'vscode' ? config.nameProblems : []),
      ...source.diagnostics,
      ...checkPatterns(settings.current, source.catalog),
    ],
    load: async () => {
      await config.load();
      await use();
    },
  };
}

/** Creates the sources of tools, the runners of their calls, and the questions before calls. */
function composeHosting(
  { context, stored, log, secrets }: Shared,
  { settings, pins, config }: Pick<Tools, 'settings' | 'pins' | 'config'>,
): Pick<Tools, 'hosting' | 'runners'> {
  const confirmations = new ChatConfirmations();
  context.subscriptions.push(confirmations);
  // Bundled as a separate file: see esbuild.mjs.
  const outside = once(async () => {
    const { EndpointConfirmations } = await import('../ui/confirmations/endpointConfirmations');
    return new EndpointConfirmations();
  });
  const hosting = new ToolProviders({ context, config, settings: () => settings.current, log, secrets, stored });
  const runners = new ToolRunners({
    source: hosting.source,
    settings: () => settings.current,
    pins: () => pins.current,
    ask: {
      inChat: confirmations.ask.bind(confirmations),
      outside: async (...asked) => (await outside()).ask(...asked),
    },
    secrets,
  });
  return { hosting, runners };
}

/** Creates the search. Index and words are loaded only when there are tools, or for the first search. */
function composeSearch({
  context,
  registry,
  source,
  warn,
}: Pick<Shared, 'context' | 'warn'> & Pick<Tools, 'registry' | 'source'>): SearchPort {
  let wordsOf: WordsOf = () => undefined;
  const index = once(async () => {
    const { ToolIndex } = await import('../core/search/toolIndex');
    return new ToolIndex([], (tool) => wordsOf(tool));
  });
  const updateIndex = async () => (await index()).follow(source.catalog.tools);
  const search = once(async () => {
    const { createSearchPort } = await import('../core/search/searchPort');
    return createSearchPort(await index(), registry);
  });
  const words = once(async () => {
    const { SearchWordStore } = await import('../vscode/searchWordStore');
    const store = new SearchWordStore({ folder: context.extensionPath, apply: updateIndex, warn });
    wordsOf = store.book.of;
    context.subscriptions.push(store);
    await store.load();
  });
  source.onDidChange((catalog) => {
    void updateIndex();
    if (catalog.tools.length > 0) void words();
  });
  return { search: async (request, signal) => (await search()).search(request, signal) };
}
