// The names of tools in requests to models: unique, short and the same in every session.

import { groupBy } from '../util/groupBy';
import { shortHash } from '../util/hash';
import { l10n } from '../util/l10n';
import type { Diagnostic } from './diagnostic';
import { compareText, type Tool } from './tool';

/**
 * Names of the tools that Tool Search adds to a request. No other tool may use them. `tool_search` isn't one of them,
 * because Copilot rewrites the results of a tool with that name.
 */
export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOL = 'describe_tool';
export const CALL_TOOL = 'call_tool';
export const RUN_CODE = 'run_code';
export const RESERVED_NAMES: ReadonlySet<string> = new Set([SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL, RUN_CODE]);

/** Whether a call of the tool with this name only looks for tools. */
export function isSearchName(name: string): boolean {
  return name === SEARCH_TOOLS || name === DESCRIBE_TOOL;
}

/** The maximum length of a tool's name that all providers accept, in characters of `[A-Za-z0-9_-]`. */
export const MAX_MODEL_NAME = 64;

interface ModelNames {
  /** The names for models, by tool id. */
  readonly names: ReadonlyMap<string, string>;
  /** A problem for each tool that can't have its usual name. It states the clashing name and the name in use. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives every tool a name for models: `<server>_<tool>` if that is short enough and free. Otherwise the name is cut and
 * followed by a hash of the tool's id. Tools that would share a name all get a hash, so that names never depend on the
 * order of the tools. Scripts write the names as they are, so they are identifiers.
 */
export function assignModelNames(tools: readonly Pick<Tool, 'id' | 'server' | 'name' | 'item'>[]): ModelNames {
  const sorted = [...tools].sort((a, b) => compareText(a.id, b.id));
  const named = sorted.map(({ id, server, name, item }) => ({ id, item, base: identifier(`${server}_${name}`) }));
  const names = new Map<string, string>();
  const taken = new Set<string>(RESERVED_NAMES);
  const diagnostics: Diagnostic[] = [];
  const toHash: Named[] = [];
  for (const same of groupBy(named, ({ base }) => base).values()) {
    const [only] = same;
    if (same.length === 1 && only && only.base.length <= MAX_MODEL_NAME && !RESERVED_NAMES.has(only.base)) {
      names.set(only.id, only.base);
      taken.add(only.base);
    } else toHash.push(...same);
  }
  for (const { id, base } of toHash.sort((a, b) => compareText(a.id, b.id))) {
    const name = hashedName(id, base, (each) => taken.has(each));
    names.set(id, name);
    taken.add(name);
    if (RESERVED_NAMES.has(base)) {
      diagnostics.push({
        severity: 'error',
        source: id,
        message: l10n.t(
          'The name of {0} for models would be that of Tool Search’s own tool {1}. Models see the tool as {2} instead. To avoid this, rename its server.',
          id,
          base,
          name,
        ),
      });
    }
  }
  // Reports shortened names. If only resources share a name, nothing is reported: their names come from addresses,
  // which are often long and which users don't type.
  for (const [cut, same] of groupBy(toHash, ({ base }) => base.slice(0, MAX_MODEL_NAME)))
    if (!RESERVED_NAMES.has(cut) && !same.every(({ item }) => item)) diagnostics.push(explain(same, names));
  return { names, diagnostics };
}

/** A tool's id, and the name that the tool would have without other tools. */
interface Named {
  readonly id: string;
  readonly item?: Tool['item'];
  readonly base: string;
}

function explain(same: readonly Named[], names: ReadonlyMap<string, string>): Diagnostic {
  const [first] = same;
  const cut = first?.base.slice(0, MAX_MODEL_NAME);
  const ids = same.map(({ id }) => id).join(', ');
  const seen = same.map(({ id }) => names.get(id)).join(', ');
  const long = same.some(({ base }) => base.length > MAX_MODEL_NAME);
  const message =
    same.length === 1
      ? l10n.t(
          'The name of {0} is longer than the {1} characters that models accept. Models see {2} instead.',
          ids,
          MAX_MODEL_NAME,
          seen,
        )
      : long
        ? l10n.t(
            'Cut to the {2} characters that models accept, the tools {0} would all have the name {1}. Models see {3} instead.',
            ids,
            cut ?? '',
            MAX_MODEL_NAME,
            seen,
          )
        : l10n.t('The tools {0} would all have the name {1} for models. Models see {2} instead.', ids, cut ?? '', seen);
  return { severity: 'warning', source: first?.id ?? '', message };
}

function identifier(name: string): string {
  return sanitize(name)
    .replaceAll('-', '_')
    .replace(/^(?=\d)/, '_');
}

/** Replaces the characters that models' services refuse in names. */
export function sanitize(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Returns the base, cut and followed by the id's hash. In the rare case that this name is taken, the hash is changed. */
export function hashedName(id: string, base: string, isTaken?: (name: string) => boolean): string {
  for (let salt = 0; ; salt++) {
    const hash = shortHash(salt === 0 ? id : `${id}#${salt}`);
    const name = `${base.slice(0, MAX_MODEL_NAME - hash.length - 1)}_${hash}`;
    if (!isTaken?.(name)) return name;
  }
}
