import { groupBy } from '../util/groupBy';
import { shortHash } from '../util/hash';
import type { Diagnostic } from './diagnostic';
import { compareText, type Tool } from './tool';

/**
 * The tools that we add to a request; no other tool may use these names. Never `tool_search`: Copilot rewrites the results
 * of a tool of that name.
 */
export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOL = 'describe_tool';
export const CALL_TOOL = 'call_tool';
export const RUN_CODE = 'run_code';
export const RESERVED_NAMES: ReadonlySet<string> = new Set([SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL, RUN_CODE]);

/** The providers' common limit on a tool's name, in characters of `[A-Za-z0-9_-]`. */
export const MAX_MODEL_NAME = 64;

interface ModelNames {
  /** Tool id → the name a model sees. */
  readonly names: ReadonlyMap<string, string>;
  /** Tools that can't have the name that they should, each with what it would share that with and what it is named. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Names every tool for models: `<server>_<tool>` where that fits and is free, else that name cut and ended by a hash of the
 * tool's id. Tools that would share a name all get their hash, so that a name never depends on the order of the tools.
 */
export function assignModelNames(tools: readonly Pick<Tool, 'id' | 'server' | 'name'>[]): ModelNames {
  const byBase = new Map<string, string[]>();
  for (const tool of [...tools].sort((a, b) => compareText(a.id, b.id))) {
    const base = sanitize(`${tool.server}_${tool.name}`);
    byBase.set(base, [...(byBase.get(base) ?? []), tool.id]);
  }

  const names = new Map<string, string>();
  const taken = new Set<string>(RESERVED_NAMES);
  const diagnostics: Diagnostic[] = [];
  const toHash: { id: string; base: string }[] = [];
  for (const [base, ids] of byBase) {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined && base.length <= MAX_MODEL_NAME && !RESERVED_NAMES.has(base)) {
      names.set(only, base);
      taken.add(base);
    } else {
      for (const id of ids) toHash.push({ id, base });
    }
  }
  /** Ids by what is left of their names within the limit. */
  const byCut = groupBy(toHash, ({ base }) => base.slice(0, MAX_MODEL_NAME));
  for (const { id, base } of toHash.sort((a, b) => compareText(a.id, b.id))) {
    const name = hashedName(id, base, taken);
    names.set(id, name);
    taken.add(name);
    if (RESERVED_NAMES.has(base)) {
      diagnostics.push({
        severity: 'error',
        source: id,
        message: `The tool ${id} would be named ${base} for models, as Tool Search's own tool ${base} is. It is offered as ${name} instead; rename its server to mend that.`,
      });
    }
  }
  for (const [cut, same] of byCut) if (!RESERVED_NAMES.has(cut)) diagnostics.push(explain(cut, same, names));
  return { names, diagnostics };
}

function explain(
  cut: string,
  same: readonly { readonly id: string; readonly base: string }[],
  names: ReadonlyMap<string, string>,
): Diagnostic {
  const [first] = same;
  const list = same.map(({ id }) => `${id} as ${names.get(id)}`).join(' and ');
  const long = same.some(({ base }) => base.length > MAX_MODEL_NAME);
  const why =
    same.length > 1
      ? `would all be named ${cut} for models${long ? `, who take ${MAX_MODEL_NAME} characters` : ''}`
      : `is longer than the ${MAX_MODEL_NAME} characters that models take`;
  const who = same.length > 1 ? `The tools ${same.map(({ id }) => id).join(' and ')}` : `The name of ${first?.id}`;
  return { severity: 'warning', source: first?.id ?? '', message: `${who} ${why}. Models see ${list}.` };
}

function sanitize(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** The base with the id's hash; salted in the rare case that another tool's plain name already is that. */
function hashedName(id: string, base: string, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt++) {
    const hash = shortHash(salt === 0 ? id : `${id}#${salt}`);
    const name = `${base.slice(0, MAX_MODEL_NAME - hash.length - 1)}_${hash}`;
    if (!taken.has(name)) return name;
  }
}
