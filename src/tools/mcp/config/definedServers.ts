import { sameJson } from '../../../core/util/sameJson';
import type { ConfiguredServer } from '../../configuredServer';
import { type DefinedServer, readLaunch } from './definition';
import type { McpConfig } from './parseMcpConfig';

/** A file with servers that was read: an `mcp.json`, or another agent's file. */
export interface McpFile {
  /** Its URI. */
  readonly file: string;
  /** The file's name for users. */
  readonly label: string;
  readonly config: Pick<McpConfig, 'definitions' | 'inputs'>;
  /** The workspace folder of the file; undefined for the user's own files. */
  readonly folder?: { readonly name: string; readonly path: string };
  /** Whether the file is another agent's. Its command lines are shown to the user before they first run. */
  readonly ofAgent?: boolean;
}

/**
 * Returns the servers of all files, with unique names. If a folder's file and the user's file have a server of the same
 * name, the folder's entry is used. If several folders have one, each after the first gets the folder's name appended.
 * Another agent's entry that runs the same as an earlier one is the same server, even under another name.
 * @param files the files of folders and of the user, each group with the preferred file first
 * @param home the path of the folder in which the user's servers run
 */
export function definedServers(files: readonly McpFile[], home: string | undefined): readonly DefinedServer[] {
  const defined = new Map<string, DefinedServer & { readonly differsIn: string[] }>();
  /** The names in use, by folder and by the name in the file. */
  const ofFolder = new Map<string, string>();
  const inOrder = [...files].sort((a, b) => Number(!a.folder) - Number(!b.folder));
  for (const { file, label, config, folder, ofAgent = false } of inOrder) {
    const place = folder?.path ?? home;
    const inFile = (key: string) => (folder ? `${folder.path}\n${key}` : key);
    for (const [key, value] of config.definitions) {
      const nearer = defined.get(folder ? (ofFolder.get(inFile(key)) ?? '') : key);
      if (nearer && !runsTheSame(nearer, { value })) nearer.differsIn.push(label);
      const isKnown = ofAgent && hasSame({ value, file, folder: folder && place }, defined.values());
      if (nearer || isKnown) continue;
      const name = defined.has(key) ? `${key} (${folder?.name})` : key;
      if (folder) ofFolder.set(inFile(key), name);
      const { inputs } = config;
      defined.set(name, { name, value, inputs, file, folder: place, label, differsIn: [], asksFirst: ofAgent });
    }
  }
  return [...defined.values()];
}

/** Whether another file has a server that runs the same, for a folder's file in the same folder. */
function hasSame(
  { value, file, folder }: Pick<DefinedServer, 'value' | 'file' | 'folder'>,
  servers: Iterable<DefinedServer>,
): boolean {
  return [...servers].some(
    (other) =>
      other.file !== file && (folder === undefined || other.folder === folder) && runsTheSame(other, { value }),
  );
}

/** Returns the servers of the `mcp.json` files. If the user and a workspace have one name, the workspace's is used. */
export function configuredServers(files: readonly McpFile[]): readonly ConfiguredServer[] {
  const own = files.filter(({ ofAgent }) => !ofAgent).sort((a, b) => Number(!b.folder) - Number(!a.folder));
  const servers = own.flatMap(({ file, config }) =>
    [...config.definitions].map(([name, value]) => ({ name, alwaysLoad: value.alwaysLoad === true, source: file })),
  );
  return [...new Map(servers.map((server) => [server.name, server])).values()];
}

/** Whether two entries run the same program in the same way, or connect to the same address. */
export function runsTheSame(a: Pick<DefinedServer, 'value'>, b: Pick<DefinedServer, 'value'>): boolean {
  const [one, other] = [readLaunch(a), readLaunch(b)];
  return one.ok && other.ok ? sameJson(one.launch, other.launch) : sameJson(a.value, b.value);
}
