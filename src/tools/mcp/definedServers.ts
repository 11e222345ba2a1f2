import type { DefinedServer } from './definition';
import type { McpConfig } from './mcpServers';

/** An `mcp.json` that was read, and its place. */
export interface McpFile {
  /** Its URI. */
  readonly file: string;
  readonly config: Pick<McpConfig, 'definitions' | 'inputs'>;
  /** The workspace folder it belongs to; the user's own file belongs to none. */
  readonly folder?: { readonly name: string; readonly path: string };
}

/**
 * The servers of all files, with unique names. A workspace's server comes before the user's server of the same name. If
 * several folders name a server alike, each but the first gets its folder's name too.
 * @param home path of the folder that the user's servers run in
 */
export function definedServers(files: readonly McpFile[], home: string | undefined): readonly DefinedServer[] {
  const defined = new Map<string, DefinedServer>();
  const inOrder = [...files].sort((a, b) => Number(!a.folder) - Number(!b.folder));
  for (const { file, config, folder } of inOrder) {
    for (const [key, value] of config.definitions) {
      if (defined.has(key) && !folder) continue;
      const name = defined.has(key) ? `${key} (${folder?.name})` : key;
      defined.set(name, { name, value, inputs: config.inputs, file, folder: folder?.path ?? home });
    }
  }
  return [...defined.values()];
}
