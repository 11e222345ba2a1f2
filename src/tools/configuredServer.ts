/** A server in an `mcp.json`, without its command, address and secrets. Only `McpConfig.definitions` has those. */
export interface ConfiguredServer {
  readonly name: string;
  /** Whether the user wants all tools of this server in every request. */
  readonly alwaysLoad: boolean;
  /** The URI of the file with its entry. */
  readonly source: string;
}

/**
 * Returns the server names that occur in several folders. Case is ignored, because VS Code uses lower case when it
 * names a server's tools.
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
