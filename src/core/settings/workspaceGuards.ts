import type { Diagnostic } from '../catalog/diagnostic';
import { l10n } from '../util/l10n';
import { isObject } from '../util/objects';
import { readSetting } from './parseSettings';
import { type SettingsContext, show } from './readers';
import { SETTINGS, type SettingKey } from './settings';

// Settings that protect the user: which tools may run, how often, and when the user is asked. A workspace's
// settings.json may be written by anybody, so it can make these settings stricter than the user's, but not weaker.

/** Returns the stricter of the user's and the workspace's value. */
type Join = (user: unknown, workspace: unknown) => unknown;

/** Creates a join from a setting's values, which are ordered from the strictest. */
const firstOf =
  (...order: readonly unknown[]): Join =>
  (user, workspace) =>
    order.find((value) => value === user || value === workspace);
const lower: Join = (user, workspace) => Math.min(user as number, workspace as number);
const both: Join = (user, workspace) => [...new Set([...(user as unknown[]), ...(workspace as unknown[])])];

/**
 * Joins tables of patterns: each server gets the patterns of both. The case of names doesn't count, since an entry for
 * `db` would otherwise replace the user's for `DB`.
 */
const bothByServer: Join = (user, workspace) => {
  const entries = [user, workspace].flatMap((table) => Object.entries(table as { [server: string]: unknown[] }));
  const patterns = new Map<string, Set<unknown>>();
  for (const [name, own] of entries) {
    const known = patterns.get(name.toLowerCase()) ?? new Set();
    for (const pattern of own) known.add(pattern);
    patterns.set(name.toLowerCase(), known);
  }
  return Object.fromEntries(entries.map(([name]) => [name, [...(patterns.get(name.toLowerCase()) ?? [])]]));
};

const CODE_MODES = firstOf('off', 'auto', 'on');

const GUARDS: { readonly [Key in SettingKey]?: Join } = {
  changedTools: firstOf('ask', 'tell'),
  // Keeps both tables, because a call needs the permission of both.
  allowedCallers: (user, workspace) => [user, workspace],
  sequentialTools: both,
  hiddenTools: bothByServer,
  // If the user and the workspace have a set of the same name, the user's applies unchanged.
  sets: (user, workspace) => ({ ...(workspace as object), ...(user as object) }),
  scope: firstOf('mcp', 'auto', 'all'),
  codeMode: CODE_MODES,
  'mcp.host': firstOf('vscode', 'extension'),
  'limits.toolCallsPerTurn': lower,
  'limits.retriesPerTool': lower,
  'limits.scriptSeconds': lower,
  'limits.callsPerScript': lower,
  'limits.scriptOutputChars': lower,
};

/** The values of a setting by scope; undefined if a scope doesn't set it. */
export interface ScopedValues {
  readonly user: unknown;
  readonly workspace: unknown;
}

/** The value that applies instead of the workspace's. */
interface Guarded {
  readonly value: unknown;
  readonly problems: readonly Diagnostic[];
}

/**
 * Returns the value of a protecting setting, and the problems to show. Undefined if this setting isn't one, or if the
 * value that VS Code returns is used without a problem.
 */
export function guarded(
  key: SettingKey,
  { user: given, workspace }: ScopedValues,
  context: SettingsContext,
): Guarded | undefined {
  const join = GUARDS[key];
  if (!join || workspace === undefined) return undefined;
  if (given === undefined) return weakened(key, join, workspace, context);
  // One bad entry of the user's must not let the workspace replace the others.
  const own = readSetting(key, given, { ...context, insecure: false });
  const user = typeof given === 'object' ? own.value : given;
  if (!isValid(key, user, context)) return undefined;
  const joined = isValid(key, workspace, context) ? join(user, workspace) : user;
  // A joined value beyond the limits would lose entries, and not always the workspace's.
  const value = isValid(key, joined, context) ? joined : user;
  if (value === workspace) return undefined;
  if (value !== user) return { value, problems: own.problems };
  const name = `toolsearch.${key}`;
  const message = l10n.t(
    'The workspace sets {0} to {1}, but your user settings have {2}. The stricter value is used: {2}.',
    name,
    show(workspace),
    show(user),
  );
  return { value, problems: [...own.problems, { severity: 'warning', source: name, message }] };
}

/** Returns a workspace's value, and says so, if it is weaker than the default. */
function weakened(key: SettingKey, join: Join, value: unknown, context: SettingsContext): Guarded | undefined {
  const { fallback } = SETTINGS[key];
  if (typeof fallback === 'object' || !isValid(key, value, context) || join(fallback, value) === value)
    return undefined;
  const source = `toolsearch.${key}`;
  const message = l10n.t(
    'The workspace sets {0} to {1}. The default is {2}. To keep it, set it in your user settings.',
    source,
    show(value),
    show(fallback),
  );
  return { value, problems: [{ severity: 'warning', source, message }] };
}

/**
 * Returns the table `toolsearch.models`, in which a workspace can't turn scripts on if the user turned them off.
 * @param merged the table as VS Code merges both scopes
 * @param codeMode the user's own value for all models
 */
export function guardedModels(merged: unknown, { user, workspace }: ScopedValues, codeMode: unknown): unknown {
  if (!isObject(merged) || !isObject(workspace)) return merged;
  const ofUser = isObject(user) ? user : {};
  return Object.fromEntries(
    Object.entries(merged).map(([glob, entry]) => {
      const own = Object.hasOwn(ofUser, glob) ? ofUser[glob] : undefined;
      const wanted = (isObject(own) ? own.codeMode : undefined) ?? codeMode;
      const isSet = isObject(entry) && entry.codeMode !== undefined;
      return isSet && wanted !== undefined
        ? [glob, { ...entry, codeMode: CODE_MODES(wanted, entry.codeMode) ?? entry.codeMode }]
        : [glob, entry];
    }),
  );
}

function isValid(key: SettingKey, value: unknown, context: SettingsContext): boolean {
  return readSetting(key, value, { ...context, insecure: false }).problems.length === 0;
}
