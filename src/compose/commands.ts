import type { Ledger } from '../core/ledger/ledger';
import type { Inspector } from '../inspector/host/inspector';
import { readRoute } from '../inspector/protocol/route';
import { copyMcpEntry, endpointAddress, type McpEndpoint } from '../ui/agents/mcpEndpoint';
import { type registerCommands, tellForgotten, toolCommands, useSearchOnly } from '../ui/commands/commands';
import { signOut } from '../ui/commands/signOut';
import { manageKeys } from '../ui/keys/manageKeys';
import type { Models } from './models';
import type { Shared } from './shared';
import type { Tools } from './tools';
import type { Turns } from './turns';

/** The parts that the inspector and the commands use. */
export interface Parts {
  readonly shared: Shared;
  readonly tools: Tools;
  readonly turns: Turns;
  readonly models: Models;
  readonly endpoint: McpEndpoint;
  readonly ledger: Ledger;
}

/** Returns what each command does, by its name without `toolsearch.`. */
export function commandsOf(
  { shared, tools, turns, models, endpoint }: Parts,
  inspector: () => Promise<Inspector>,
): Parameters<typeof registerCommands>[0] {
  const { context, stored, log } = shared;
  const { settings, pins, source, config } = tools;
  const { session } = turns;
  const turnOn = () => settings.update('mcp.endpoint', true);
  return {
    ...toolCommands({
      settings,
      pins,
      catalog: () => source.catalog,
      refresh: async () => {
        await config.load();
        // Not awaited, since the start doesn't end while VS Code asks the user to trust a server.
        void source.startServers('byUser');
        return source.refresh();
      },
      registeredStrategies: () => tools.registry.names(),
      createFilter: async (all) => (await import('../core/search/toolFilter')).createToolFilter(all),
      loadingOf: (id) => session.overview().loading.get(id),
      use: async (item) =>
        (await import('../tools/vscode/useItem')).useItem(item, {
          read: turns.readItem,
          keep: (disposable) => context.subscriptions.push(disposable),
        }),
    }),
    signOut: async () => signOut((await tools.hosting.signIns()).kept),
    forgetInputs: async () => tellForgotten(await (await tools.hosting.inputs()).forget()),
    manageKeys: () => manageKeys(models.keys, models.test),
    useSearchOnly: () => useSearchOnly(settings),
    openInspector: async (place) => (await inspector()).panel.show(readRoute(place)),
    exportSession: async () => (await inspector()).export(),
    startServers: async (...names) => {
      await Promise.all(names.map((name) => source.startServers('byUser', String(name))));
      source.refresh();
    },
    copyMcpEntry: () => copyMcpEntry(endpoint, turnOn),
    useInAgents: async () =>
      (await import('../tools/vscode/useInAgents')).useInAgents({
        address: () => endpoint.address,
        endpoint: () => endpointAddress(endpoint, turnOn),
        servers: () => config.definitions,
      }),
    removeStoredData: async () =>
      (await import('../vscode/removeStoredData')).removeStoredData(stored, () => settings.resetUser()),
    showLog: () => log.show(),
  };
}
