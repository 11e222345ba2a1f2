// The names of tools in requests to models: unique, short and the same in every session.

import { groupBy } from '../util/groupBy';
import { shortHash } from '../util/hash';
import { l10n } from '../util/l10n';
import type { Diagnostic } from './diagnostic';
import { compareText, type Tool } from './tool';

/**
 * The tools that we add to a request. No other tool may use these names. Never `tool_search`: Copilot rewrites the
 * results of a tool of that name.
 */
export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOL = 'describe_tool';
export const CALL_TOOL = 'call_tool';
export const RUN_CODE = 'run_code';
export const RESERVED_NAMES: ReadonlySet<string> = new Set([SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL, RUN_CODE]);

/** The providers' common limit on a tool's name, in characters of `[A-Za-z0-9_-]`. */
export const MAX_MODEL_NAME = 64;

interface ModelNames {
  /** Tool id → its name for models. */
  readonly names: ReadonlyMap<string, string>;
  /** Problems with tools that can't have their usual name: the name that clashes, and the name that is used. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Names every tool for models: `<server>_<tool>` if that fits and is free, otherwise that name cut and followed by a
 * hash of the tool's id. Tools that share a name all get their hash, so that a name never depends on the order of the
 * tools. Names that differ only in `-` and `_` count as shared, because scripts write both as `_`.
 */
export function assignModelNames(tools: readonly Pick<Tool, 'id' | 'server' | 'name' | 'item'>[]): ModelNames {
  const sorted = [...tools].sort((a, b) => compareText(a.id, b.id));
  const named = sorted.map(({ id, server, name, item }) => ({ id, item, base: sanitize(`${server}_${name}`) }));
  const names = new Map<string, string>();
  const taken = new Set<string>(RESERVED_NAMES);
  const diagnostics: Diagnostic[] = [];
  const toHash: Named[] = [];
  for (const same of groupBy(named, ({ base }) => inScript(base)).values()) {
    const [only] = same;
    if (same.length === 1 && only && only.base.length <= MAX_MODEL_NAME && !RESERVED_NAMES.has(inScript(only.base))) {
      names.set(only.id, only.base);
      taken.add(inScript(only.base));
    } else toHash.push(...same);
  }
  for (const { id, base } of toHash.sort((a, b) => compareText(a.id, b.id))) {
    const name = hashedName(id, base, taken);
    names.set(id, name);
    taken.add(inScript(name));
    if (RESERVED_NAMES.has(inScript(base))) {
      diagnostics.push({
        severity: 'error',
        source: id,
        message: l10n.t(
          "For models the tool {0} would have the name {1}, like Tool Search's own tool {2}. They see it as {3}. Rename its server to avoid that.",
          id,
          base,
          inScript(base),
          name,
        ),
      });
    }
  }
  // Addresses of resources are often long, and nobody types them.
  for (const [cut, same] of groupBy(toHash, ({ base }) => inScript(base.slice(0, MAX_MODEL_NAME))))
    if (!RESERVED_NAMES.has(cut) && !same.every(({ item }) => item)) diagnostics.push(explain(same, names));
  return { names, diagnostics };
}

/** A tool's id, and the name that it would have if it were alone. */
interface Named {
  readonly id: string;
  readonly item?: Tool['item'];
  readonly base: string;
}

/** Returns a model name as scripts write it; see `scriptName`. */
function inScript(name: string): string {
  return name.replaceAll('-', '_');
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
          'The name of {0} is longer than the {1} characters that models take. They see {2}.',
          ids,
          MAX_MODEL_NAME,
          seen,
        )
      : long
        ? l10n.t(
            'The tools {0} would all have the name {1} for models, which take {2} characters. They see {3}.',
            ids,
            cut ?? '',
            MAX_MODEL_NAME,
            seen,
          )
        : l10n.t('The tools {0} would all have the name {1} for models. They see {2}.', ids, cut ?? '', seen);
  return { severity: 'warning', source: first?.id ?? '', message };
}

function sanitize(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/**
 * Returns the base with the id's hash; salted in the rare case that the result already is another tool's plain name.
 */
function hashedName(id: string, base: string, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt++) {
    const hash = shortHash(salt === 0 ? id : `${id}#${salt}`);
    const name = `${base.slice(0, MAX_MODEL_NAME - hash.length - 1)}_${hash}`;
    if (!taken.has(inScript(name))) return name;
  }
}
