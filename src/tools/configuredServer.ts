import { groupBy } from '../core/util/groupBy';

/** The maximum length of a server's name, in characters. Names are part of ids and of requests to models. */
export const MAX_SERVER_NAME = 200;
/** The maximum number of servers of one file. Entries of different files are compared with each other. */
export const MAX_SERVERS = 500;

/** A server in an `mcp.json`, without its command, address and secrets. Only `McpConfig.definitions` has those. */
export interface ConfiguredServer {
  readonly name: string;
  /** Whether the user wants all tools of this server in every request. */
  readonly alwaysLoad: boolean;
  /** The URI of the file with its entry. */
  readonly source: string;
}

/** Returns the server names that several folders have. Case is ignored, since VS Code names tools in lower case. */
export function sharedNames(
  all: readonly { readonly folder: string; readonly servers: readonly string[] }[],
): readonly { readonly server: string; readonly folders: readonly string[] }[] {
  const servers = all.flatMap(({ folder, servers }) => servers.map((server) => ({ server, folder })));
  const same = [...groupBy(servers, ({ server }) => server.toLowerCase()).values()].filter(({ length }) => length > 1);
  return same.map((each) => ({ server: each[0]?.server ?? '', folders: each.map(({ folder }) => folder) }));
}
