import { sameJson } from '../../core/util/sameJson';
import { type DefinedServer, readLaunch } from './definition';
import type { McpConfig } from './mcpServers';

/** An `mcp.json` that was read, or another agent's file, and its place. */
export interface McpFile {
  /** Its URI. */
  readonly file: string;
  /** Its name for people. */
  readonly label: string;
  readonly config: Pick<McpConfig, 'definitions' | 'inputs'>;
  /** The workspace folder it belongs to; the user's own files belong to none. */
  readonly folder?: { readonly name: string; readonly path: string };
  /** Whether it is another agent's: its command lines are shown to the user before their first start. */
  readonly ofAgent?: boolean;
}

/**
 * The servers of all files, with unique names. A server in several files is one server, and the nearest file counts: a
 * workspace's comes before the user's. If several folders name a server alike, each but the first gets its folder's name
 * too. Another agent's entry that runs the same as a nearer one is the same server, whatever its name.
 * @param files the nearest first, among those of a folder and among the user's own
 * @param home path of the folder that the user's servers run in
 */
export function definedServers(files: readonly McpFile[], home: string | undefined): readonly DefinedServer[] {
  const defined = new Map<string, DefinedServer & { readonly differsIn: string[] }>();
  /** By folder and the name in the file. */
  const ofFolder = new Map<string, string>();
  const inOrder = [...files].sort((a, b) => Number(!a.folder) - Number(!b.folder));
  for (const { file, label, config, folder, ofAgent = false } of inOrder) {
    const place = folder?.path ?? home;
    for (const [key, value] of config.definitions) {
      const known = folder ? ofFolder.get(`${folder.path}\n${key}`) : key;
      const nearer = known === undefined ? undefined : defined.get(known);
      if (nearer) {
        if (!runsTheSame(nearer, { value })) nearer.differsIn.push(label);
        continue;
      }
      const isKnown = (other: DefinedServer) =>
        other.file !== file && (!folder || other.folder === place) && runsTheSame(other, { value });
      if (ofAgent && [...defined.values()].some(isKnown)) continue;
      const name = defined.has(key) ? `${key} (${folder?.name})` : key;
      if (folder) ofFolder.set(`${folder.path}\n${key}`, name);
      const { inputs } = config;
      defined.set(name, { name, value, inputs, file, folder: place, label, differsIn: [], asksFirst: ofAgent });
    }
  }
  return [...defined.values()];
}

/** Whether two entries run the same program in the same way, or reach the same address. */
export function runsTheSame(a: Pick<DefinedServer, 'value'>, b: Pick<DefinedServer, 'value'>): boolean {
  const [one, other] = [readLaunch(a), readLaunch(b)];
  return one.ok && other.ok ? sameJson(one.launch, other.launch) : sameJson(a.value, b.value);
}
