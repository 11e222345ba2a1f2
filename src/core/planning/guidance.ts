// The guidance, which a model reads before its first call, and lists of servers and folders for it and for other texts.

import { SEARCH_TOOLS } from '../catalog/modelNames';
import type { DeliveryName } from '../ports';
import { cut } from '../util/cut';
import { firstNames } from '../util/firstNames';

/** The language in which models are asked to write queries. */
export const SEARCH_LANGUAGES = 'English';

/** The tools and folders that the guidance mentions. */
interface GuidanceInputs {
  /** Number of tools that a search can find. */
  readonly deferred: number;
  readonly servers: readonly string[];
  readonly delivery: DeliveryName;
  /** Paths of the workspace's folders. */
  readonly workspace?: readonly string[];
  /** The start of our tools' names, if an agent has these tools under longer names. */
  readonly prefix?: string;
}

const MAX_SERVERS = 30;
const MAX_FOLDERS = 3;

/** Returns the guidance that makes a model search: how many tools it doesn't see, whose they are, and when to stop. */
export function guidanceText({ deferred, servers, delivery, workspace = [], prefix = '' }: GuidanceInputs): string {
  const where = delivery === 'server' ? 'your tool search' : `${prefix}${SEARCH_TOOLS}`;
  return [
    `${deferred} tools of ${serversInWords(servers.map((name) => ({ name })))} are behind ${where}.`,
    `Search in ${SEARCH_LANGUAGES} before saying that you can't; if nothing fits, say so.`,
    ...(workspace.length > 0 ? [workspaceText(workspace)] : []),
  ].join(' ');
}

/** Lists the paths of the workspace's folders, which VS Code's own tools need. */
export function workspaceText(folders: readonly string[]): string {
  const paths = folders.slice(0, MAX_FOLDERS).map((folder) => plainOrQuoted(folder, 200));
  return `Workspace: ${paths.join(', ')}`;
}

/** Lists the first servers by name, with their states if these are given. */
export function serversInWords(servers: readonly { readonly name: string; readonly state?: string }[]): string {
  return firstNames(
    servers.map(({ name, state }) => plainOrQuoted(name, 40) + (state === undefined ? '' : ` (${state})`)),
    MAX_SERVERS,
  );
}

/** Names of servers and folders come from outside, so they are cut, and quoted unless they are plain. */
export function plainOrQuoted(text: string, max: number): string {
  return text.length <= max && /^[\w./\\:@~-]+$/.test(text) ? text : JSON.stringify(cut(text, max));
}
