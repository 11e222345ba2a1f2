// Matches the patterns of settings against servers and tools, and warns of patterns that match nothing.

import type { Catalog } from '../catalog/catalog';
import type { Diagnostic } from '../catalog/diagnostic';
import { READ_LINKED, type Tool } from '../catalog/tool';
import { compileGlob, compileGlobs, compileIdGlobs } from '../settings/glob';
import type { Settings } from '../settings/settings';
import { cut } from '../util/cut';
import { l10n } from '../util/l10n';
import { memoize, memoizeBy } from '../util/memoize';

/** Returns a function that says whether a name matches one of the globs. */
export function createMatcher(globs: readonly string[]): (name: string) => boolean {
  return memoizeBy(compileGlobs(globs));
}

/** The name for all servers in a setting. */
export const ALL_SERVERS = '*';

/** Returns a setting's globs under a server's own name, in any case: VS Code sometimes shows names in lower case. */
export function globsForServer(
  setting: { readonly [server: string]: readonly string[] },
  server: string,
): readonly string[] | undefined {
  if (Object.hasOwn(setting, server)) return setting[server];
  const lower = server.toLowerCase();
  return Object.entries(setting).find(([name]) => name.toLowerCase() === lower)?.[1];
}

/** Returns the globs for a server's tools: those under its own name and those under `*`. */
function globsFor(setting: { readonly [server: string]: readonly string[] }, server: string): readonly string[] {
  const forAll = Object.hasOwn(setting, ALL_SERVERS) ? (setting[ALL_SERVERS] ?? []) : [];
  return [...(globsForServer(setting, server) ?? []), ...forAll];
}

/** Returns a function that says whether a setting names a tool. It compiles a server's globs once. */
export function namedIn(setting: {
  readonly [server: string]: readonly string[];
}): (tool: Pick<Tool, 'server' | 'name'>) => boolean {
  const matcher = memoizeBy((server: string) => createMatcher(globsFor(setting, server)));
  return ({ server, name }) => matcher(server)(name);
}

/**
 * Returns a function that says how narrow a setting's narrowest pattern is that names a tool: 0 if none does, otherwise
 * its number of literal characters, with more for a whole name, and for a pattern under the server's own name.
 */
export function narrownessIn(setting: {
  readonly [server: string]: readonly string[];
}): (tool: Pick<Tool, 'server' | 'name'>) => number {
  const matcher = memoizeBy(compileGlob);
  return ({ server, name }) => {
    const widths = (globs: readonly string[] = [], own: number) =>
      globs.filter((glob) => matcher(glob)(name)).map((glob) => 2 * literalLength(glob, name) + own + 1);
    const forAll = Object.hasOwn(setting, ALL_SERVERS) ? setting[ALL_SERVERS] : [];
    return Math.max(0, ...widths(globsForServer(setting, server), 1), ...widths(forAll, 0));
  };
}

function literalLength(glob: string, name: string): number {
  return glob === name ? name.length + 1 : glob.replace(/[*?[\]{}]/g, '').length;
}

/** Returns {@link checkPatterns} with its last result remembered, since views ask for it at every event of a turn. */
export function createPatternCheck(): typeof checkPatterns {
  const last = memoize<readonly Diagnostic[]>();
  return (settings, catalog) => last([settings, catalog], () => checkPatterns(settings, catalog));
}

/** Warns of servers, patterns and ids in the settings that match nothing. A server that isn't running may have them. */
export function checkPatterns(settings: Settings, catalog: Catalog): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  // There may be servers that aren't known yet.
  if (catalog.servers.length === 0) return diagnostics;
  const warn = (key: string, message: string) =>
    diagnostics.push({ severity: 'warning', source: `toolsearch.${key}`, message });
  for (const key of ['eagerTools', 'deferredTools', 'hiddenTools'] as const)
    for (const [name, globs] of Object.entries(settings[key]))
      if (name !== ALL_SERVERS) for (const message of problemsOf({ key, name, globs }, catalog)) warn(key, message);
  if (catalog.tools.length === 0 || catalog.servers.some((server) => server.state !== 'running')) return diagnostics;
  for (const glob of settings.sequentialTools) {
    const matches = compileIdGlobs([glob]);
    if (!catalog.tools.some((tool) => matches(tool.id))) {
      warn(
        'sequentialTools',
        l10n.t(
          '“{0}” in toolsearch.sequentialTools matches no tool. Patterns are compared with ids, as in “github/create_*”.',
          glob,
        ),
      );
    }
  }
  for (const id of Object.keys(settings.examples.tools)) {
    if (catalog.byId.has(id)) continue;
    warn(
      'examples',
      l10n.t('toolsearch.examples has examples for “{0}”, which is no tool. Ids look like “github/get_issue”.', id),
    );
  }
  return diagnostics;
}

/** The maximum number of characters of the servers' names in a warning. */
const MAX_NAMES = 500;

/** Returns what is wrong with one server's patterns in a setting. */
function problemsOf(
  { key, name, globs }: { readonly key: string; readonly name: string; readonly globs: readonly string[] },
  { servers, tools, items = [] }: Catalog,
): readonly string[] {
  const server = servers.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (!server) {
    const known = l10n.t('The servers are {0}.', cut(servers.map((each) => each.name).join(', '), MAX_NAMES));
    return [`${l10n.t('toolsearch.{0} names the server “{1}”, which doesn’t exist.', key, name)} ${known}`];
  }
  if (server.state !== 'running') return [];
  const namesIn = (list: readonly { readonly server: string; readonly name: string }[]) =>
    list.filter((each) => each.server === server.name).map((each) => each.name);
  const own = namesIn(tools);
  // The user can hide resources before models find them, and the tool that reads linked ones before the first link.
  const names = key === 'hiddenTools' ? [...own, READ_LINKED, ...namesIn(items)] : own;
  return globs
    .filter((glob) => !names.some(compileGlob(glob)))
    .map((glob) =>
      l10n.t('“{0}” in toolsearch.{1} matches none of the {2} tools of “{3}”.', glob, key, own.length, server.name),
    );
}
