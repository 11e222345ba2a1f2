/**
 * A server as an `mcp.json` names it, without its command, address and secrets. Only `McpConfig.definitions` has those.
 */
export interface ConfiguredServer {
  readonly name: string;
  readonly type: 'stdio' | 'http' | 'unknown';
  /** Whether the user wants its tools in every request. */
  readonly alwaysLoad: boolean;
  /** URI of the file that names it. */
  readonly source: string;
}

/**
 * Returns the names that servers of several folders share. Case is ignored, because VS Code writes a server's name in
 * lower case when it names its tools.
 */
export function sharedNames(
  all: readonly { readonly folder: string; readonly servers: readonly string[] }[],
): readonly { readonly server: string; readonly folders: readonly string[] }[] {
  const byName = new Map<string, { server: string; folders: string[] }>();
  for (const { folder, servers } of all) {
    for (const server of servers) {
      const known = byName.get(server.toLowerCase());
      if (known) known.folders.push(folder);
      else byName.set(server.toLowerCase(), { server, folders: [folder] });
    }
  }
  return [...byName.values()].filter(({ folders }) => folders.length > 1);
}
