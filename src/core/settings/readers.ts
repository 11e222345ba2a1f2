import * as z from 'zod/mini';
import type { Diagnostic } from '../catalog/diagnostic';
import type { ToolExample } from '../catalog/tool';
import { isObject } from '../util/objects';
import { parseBaseUrl } from './baseUrl';

/** What a value may depend on. */
export interface SettingsContext {
  /** Every strategy that can be named: the built-in ones and those that other extensions registered. */
  readonly strategies: readonly string[];
}

/** Where a value stands, and who hears what is wrong with it. */
interface Reading<T> extends SettingsContext {
  /** Whether the user allowed plain `http:` addresses of other machines. */
  readonly insecure: boolean;
  /** As the user knows the place: `toolsearch.mode`. */
  readonly name: string;
  readonly fallback: T;
  /** The sentence that says what is done in place of a bad value; without it, that the fallback is used. */
  readonly instead?: string;
  readonly report: (message: string, severity?: Diagnostic['severity']) => void;
}

/**
 * Reads the values of one kind. Never throws: what is bad is reported, and the fallback stands in; in a list or a table only the
 * bad entry is left out.
 */
export interface Reader<T> {
  /** What VS Code checks in settings.json, as package.json has it. */
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
  /** @param value set by the user, or what VS Code says is the default */
  read(value: unknown, reading: Reading<T>): T;
}

/**
 * Keys below `toolsearch.examples`. VS Code merges a setting and the settings below it into one object, so these show up
 * among the tool ids of `examples`.
 */
const KEYS_BELOW_EXAMPLES: ReadonlySet<string> = new Set(['maxPerTool', 'includeDescriptions', 'tags']);

const exampleSchema = z.object({
  args: z.record(z.string(), z.json()),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
});

/** One of some words. */
export function choice<const T extends string>(...choices: readonly T[]): Reader<T> {
  return {
    schema: { type: 'string', enum: choices },
    read: (value, reading) =>
      choices.find((each) => each === value) ?? refuse(value, `one of ${choices.join(', ')}`, reading),
  };
}

/** `auto`, or a strategy that there is. */
export const strategyName: Reader<string> = {
  schema: { type: 'string' },
  read(value, reading) {
    const names = ['auto', ...reading.strategies];
    return names.find((name) => name === value) ?? refuse(value, `one of ${names.join(', ')}`, reading);
  },
};

const GUIDANCE = choice('servers', 'names', 'off');

/** What the model is told; until 0.1 it was a switch. */
export const guidanceKind: typeof GUIDANCE = {
  ...GUIDANCE,
  read: (value, reading) => (typeof value === 'boolean' ? (value ? 'servers' : 'off') : GUIDANCE.read(value, reading)),
};

export const flag: Reader<boolean> = {
  schema: { type: 'boolean' },
  read: (value, reading) => (typeof value === 'boolean' ? value : refuse(value, 'true or false', reading)),
};

export function number(minimum: number, maximum: number): Reader<number> {
  return {
    schema: { type: 'number', minimum, maximum },
    read: (value, reading) =>
      typeof value === 'number' && value >= minimum && value <= maximum
        ? value
        : refuse(value, `a number from ${minimum} to ${maximum}`, reading),
  };
}

export function whole(minimum: number, maximum: number): Reader<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    read: (value, reading) =>
      Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum
        ? (value as number)
        : refuse(value, `a whole number from ${minimum} to ${maximum}`, reading),
  };
}

/** A list of texts, mostly globs. */
export const texts: Reader<readonly string[]> = {
  schema: { type: 'array' },
  read(value, reading) {
    const list: readonly unknown[] = Array.isArray(value) ? value : refuse(value, 'a list of texts', reading);
    return textsOf(list, reading.name, reading);
  },
};

/** Globs over tool names, by server. */
export const patternsByServer: Reader<{ readonly [server: string]: readonly string[] }> = {
  schema: { type: 'object' },
  read: (value, reading) =>
    readTable(value, 'an object of server names and lists of patterns', reading, (globs, where) => {
      if (Array.isArray(globs)) return textsOf(globs, where, reading);
      reading.report(`${where} must be a list of patterns, as in ["search_*"], but is ${show(globs)}. It is left out.`);
      return undefined;
    }),
};

/** Worked calls, by tool id. */
export const examplesByTool: Reader<{ readonly [id: string]: readonly ToolExample[] }> = {
  schema: { type: 'object' },
  read: (value, reading) =>
    readTable(value, 'an object of tool ids and lists of examples', reading, (list, where, id) => {
      if (KEYS_BELOW_EXAMPLES.has(id)) return undefined;
      if (!Array.isArray(list)) {
        reading.report(`${where} must be a list of examples, but is ${show(list)}. It is left out.`);
        return undefined;
      }
      return list.flatMap((item: unknown, index): readonly ToolExample[] => {
        const parsed = exampleSchema.safeParse(item);
        if (parsed.success) return [parsed.data];
        reading.report(
          `Example ${index + 1} of ${where} must be an object with args (an object) and, if wanted, description (a text) and tags (a list of texts). It is left out.`,
        );
        return [];
      });
    }),
};

/** Seconds, by glob of tool ids. */
export const secondsByGlob: Reader<{ readonly [glob: string]: number }> = {
  schema: { type: 'object' },
  read: (value, reading) =>
    readTable(value, 'an object of patterns and seconds', reading, (seconds, where) => {
      if (typeof seconds === 'number' && seconds >= 1 && seconds <= 3600) return seconds;
      reading.report(`${where} must be a number of seconds from 1 to 3600, but is ${show(seconds)}. It is left out.`);
      return undefined;
    }),
};

/** Who may call a tool, by glob of tool ids. */
export const callersByGlob: Reader<{ readonly [glob: string]: 'direct' | 'code' | 'both' }> = {
  schema: { type: 'object' },
  read: (value, reading) =>
    readTable(value, 'an object of patterns and callers', reading, (caller, where) => {
      if (caller === 'direct' || caller === 'code' || caller === 'both') return caller;
      // Such an entry is there to close a way: what can't be read closes it.
      reading.report(`${where} must be direct, code or both, but is ${show(caller)}. Using direct.`);
      return 'direct';
    }),
};

/** Values of other settings by key, by glob. @param rows the settings that may stand there */
export function settingsByGlob(rows: {
  readonly [key: string]: { readonly reader: Reader<unknown>; readonly fallback: unknown };
}): Reader<{ readonly [glob: string]: { readonly [key: string]: unknown } }> {
  return {
    schema: { type: 'object' },
    read: (value, reading) =>
      readTable(value, 'an object of model patterns and settings', reading, (entry, where) => {
        if (!isObject(entry)) {
          reading.report(
            `${where} must be an object of settings, as in {"mode": "on"}, but is ${show(entry)}. It is left out.`,
          );
          return undefined;
        }
        return Object.fromEntries(Object.entries(entry).flatMap(([key, own]) => readOwn(key, own, where)));
        function readOwn(key: string, own: unknown, place: string): [string, unknown][] {
          const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
          const name = `“${key}” of ${place}`;
          if (!row) {
            reading.report(
              `${name} is none of the settings that a model can have of its own: ${Object.keys(rows).join(', ')}. It is left out.`,
            );
            return [];
          }
          let bad = false;
          const read = row.reader.read(own, {
            ...reading,
            name,
            fallback: row.fallback,
            instead: 'It is left out.',
            report: (message, severity) => {
              bad = true;
              reading.report(message, severity);
            },
          });
          return bad ? [] : [[key, read]];
        }
      }),
  };
}

/**
 * Where a service is asked; undefined where that can't be used. Unlike the others, a bad address has no fallback: questions meant
 * for a gateway must not go to somebody else.
 * @param path what the service's base URL ends with
 */
export function address(path: '/v1' | ''): Reader<string | undefined> {
  return {
    schema: { type: 'string' },
    read(value, { name, report, insecure }) {
      const parsed =
        typeof value === 'string'
          ? parseBaseUrl(value, path, { insecure })
          : ({ ok: false, expected: 'a URL' } as const);
      if (!parsed.ok) report(`${name} must be ${parsed.expected}${shownAddress(value)}. Its models are not asked.`);
      else if (parsed.warning) report(`${name} ${parsed.warning}`, 'warning');
      return parsed.ok ? parsed.url : undefined;
    },
  };
}

/** What stands in place of an address, without what may be a key in it: one that was put there by mistake, a user, a parameter. */
function shownAddress(value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  if (!url?.host) return '';
  return `, but is ${show(`${url.protocol}//${url.host}${url.pathname}`)}`;
}

/** The entries of a table that can be read, under their own names, `__proto__` among them. */
function readTable<T>(
  value: unknown,
  expected: string,
  reading: Reading<{ readonly [name: string]: T }>,
  /** `where` names the entry's place; undefined leaves it out. */
  read: (entry: unknown, where: string, name: string) => T | undefined,
): { readonly [name: string]: T } {
  const result: { [name: string]: T } = {};
  const table = isObject(value) ? value : refuse(value, expected, reading);
  for (const [name, entry] of Object.entries(table)) {
    const taken = read(entry, `“${name}” in ${reading.name}`, name);
    if (taken !== undefined)
      Object.defineProperty(result, name, { value: taken, enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** The strings of a list; others are reported and left out. */
function textsOf(
  list: readonly unknown[],
  where: string,
  { report }: Pick<Reading<unknown>, 'report'>,
): readonly string[] {
  return list.filter((item, index): item is string => {
    if (typeof item === 'string' && item.trim() !== '') return true;
    report(`Entry ${index + 1} of ${where} must be a text that isn't empty, but is ${show(item)}. It is left out.`);
    return false;
  });
}

/** @param expected ends the sentence "must be …" */
function refuse<T>(value: unknown, expected: string, { name, fallback, instead, report }: Reading<T>): T {
  report(`${name} must be ${expected}, but is ${show(value)}. ${instead ?? `Using ${show(fallback)}.`}`);
  return fallback;
}

/** A value as it stands in settings.json, cut to fit a sentence. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
