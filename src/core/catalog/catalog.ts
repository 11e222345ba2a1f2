import { compareText, type Tool } from './tool';

/**
 * The state of a server. `running`: its tools are listed. `starting`: it is configured and has not answered yet.
 * `stopped`: it is configured and doesn't run now. `failed`: it could not be started. `untrusted`: the workspace isn't
 * trusted, so VS Code doesn't start it.
 */
export type ServerState = 'running' | 'starting' | 'stopped' | 'failed' | 'untrusted';

/** One server of the catalog, running or not. */
export interface ServerInfo {
  readonly name: string;
  readonly state: ServerState;
  /** One sentence for people: the reason for a failure, or the event that the server waits for. */
  readonly detail?: string;
  /** A server whose tools have the names in VS Code that this server's would have. Starting this one again can't help. */
  readonly namesTakenBy?: string;
  /** The file that defines the server, as a short name; absent if it isn't known. */
  readonly source?: string;
  /** Set if the server's tools are from an earlier session's cache: they can be found, but not yet called. */
  readonly cached?: boolean;
  /** One sentence on each malformed tool that was left out or repaired. */
  readonly problems: readonly string[];
}

/** An immutable snapshot of all tools, sorted by id, with each server's status. */
export interface Catalog {
  /** Increases with every change of tools or servers. */
  readonly revision: number;
  readonly tools: readonly Tool[];
  readonly servers: readonly ServerInfo[];
  readonly byId: ReadonlyMap<string, Tool>;
  readonly byModelName: ReadonlyMap<string, Tool>;
  /** The resources and prompts that servers list. The user always finds them, models only those in `tools`. */
  readonly items?: readonly Tool[];
  /** Tools that models don't get because the user hasn't accepted their change, by the names under which they run. */
  readonly withheld?: ReadonlyMap<string, Tool>;
}

/** Creates a catalog. The order of `tools` and `servers` doesn't matter. */
export function createCatalog(revision: number, tools: readonly Tool[], servers: readonly ServerInfo[]): Catalog {
  const sorted = [...tools].sort((a, b) => compareText(a.id, b.id));
  return {
    revision,
    tools: sorted,
    servers: [...servers].sort((a, b) => compareText(a.name, b.name)),
    byId: new Map(sorted.map((tool) => [tool.id, tool])),
    byModelName: new Map(sorted.map((tool) => [tool.modelName, tool])),
  };
}

export const EMPTY_CATALOG: Catalog = createCatalog(0, [], []);

/** Returns the servers whose tools can't be found now: they don't run, and their earlier tools aren't known. */
export function missingServers(catalog: Catalog): readonly ServerInfo[] {
  const found = new Set(catalog.tools.map((tool) => tool.server));
  return catalog.servers.filter((server) => server.state !== 'running' && !found.has(server.name));
}
