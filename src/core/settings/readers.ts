// The readers of settings, one for each kind of value: the JSON schema for package.json, and the check at run time.

import * as z from 'zod/mini';
import type { Diagnostic } from '../catalog/diagnostic';
import type { JsonSchema, ToolExample } from '../catalog/tool';
import { cut } from '../util/cut';
import { l10n } from '../util/l10n';
import { isObject } from '../util/objects';
import { once } from '../util/once';
import { sameJson } from '../util/sameJson';
import { parseBaseUrl } from './baseUrl';

/** The facts that the validity of a value may depend on. */
export interface SettingsContext {
  /** All strategies that a setting can name: the built-in ones, and those that other extensions registered. */
  readonly strategies: readonly string[];
}

/** The name of the setting that is read, its fallback, and the callback for errors. */
interface Reading<T> extends SettingsContext {
  /** Whether the user allowed plain `http:` addresses on other machines. */
  readonly insecure: boolean;
  /** The setting's name as the user knows it: `toolsearch.mode`. */
  readonly name: string;
  readonly fallback: T;
  /** The value in the user's own settings, if a workspace's is merged with it. */
  readonly ofUser?: unknown;
  /** A sentence on what applies instead of a bad value. If absent, the fallback applies and is named. */
  readonly instead?: string;
  readonly report: (message: string, severity?: Diagnostic['severity']) => void;
}

/** Reads one kind of value. Never throws: a bad value is reported and replaced, a bad entry reported and left out. */
export interface Reader<T> {
  /** The JSON schema for package.json. VS Code checks settings.json with it. */
  readonly schema: JsonSchema;
  /** The possible values with their descriptions, in English. */
  readonly choices?: { readonly [value: string]: string };
  /** @param value set by the user, or the default as VS Code returns it */
  read(value: unknown, reading: Reading<T>): T;
}

const NAMES: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 } };

const exampleSchema = once(() =>
  z.object({
    args: z.record(z.string(), z.json()),
    description: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
  }),
);

/** Reads a word that must be one of the given choices, which have descriptions. */
export function choice<const T extends string>(choices: { readonly [value in T]: string }): Reader<T> {
  const values = Object.keys(choices) as T[];
  return {
    schema: { type: 'string', enum: values },
    choices,
    read: (value, reading) =>
      values.find((each) => each === value) ?? refuse(value, l10n.t('one of {0}', values.join(', ')), reading),
  };
}

/** Reads `auto` or the name of a registered strategy. VS Code's schema can only list the built-in ones: `known`. */
export function strategyName(known: Pick<Reader<string>, 'schema' | 'choices'>): Reader<string> {
  return {
    ...known,
    read(value, reading) {
      const names = ['auto', ...reading.strategies];
      return names.find((name) => name === value) ?? refuse(value, l10n.t('one of {0}', names.join(', ')), reading);
    },
  };
}

export const flag: Reader<boolean> = {
  schema: { type: 'boolean' },
  read: (value, reading) => (typeof value === 'boolean' ? value : refuse(value, l10n.t('true or false'), reading)),
};

export function number(
  minimum: number,
  maximum: number,
  expected = () => l10n.t('a number from {0} to {1}', minimum, maximum),
): Reader<number> {
  return {
    schema: { type: 'number', minimum, maximum },
    read: (value, reading) =>
      typeof value === 'number' && value >= minimum && value <= maximum ? value : refuse(value, expected(), reading),
  };
}

export function whole(minimum: number, maximum: number): Reader<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    read: (value, reading) =>
      Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum
        ? (value as number)
        : refuse(value, l10n.t('a whole number from {0} to {1}', minimum, maximum), reading),
  };
}

/**
 * The maximum number of entries of a list or table, and the maximum number of characters of its texts. Anybody may have
 * written a workspace's settings, and each pattern is compared with each tool.
 */
const MAX_ENTRIES = 500;
const MAX_CHARS = 10_000;

/** Returns a function that says whether one more entry is within the limits. Reports the first that isn't. */
function withinLimits({ name, report }: Pick<Reading<unknown>, 'name' | 'report'>): (text: string) => boolean {
  let entries = 0;
  let chars = 0;
  let isReported = false;
  return (text) => {
    entries++;
    chars += text.length;
    if (entries <= MAX_ENTRIES && chars <= MAX_CHARS) return true;
    if (!isReported)
      report(
        l10n.t(
          '{0} has more than {1} entries or {2} characters. Only the first ones, up to that limit, are used.',
          name,
          MAX_ENTRIES,
          MAX_CHARS.toLocaleString('en'),
        ),
      );
    isReported = true;
    return false;
  };
}

/** Reads a list of texts, which mostly are globs. */
export const texts: Reader<readonly string[]> = {
  schema: { ...NAMES, uniqueItems: true },
  read(value, reading) {
    const list: readonly unknown[] = Array.isArray(value) ? value : refuse(value, l10n.t('a list of texts'), reading);
    return textsOf(list, reading.name, { ...reading, fits: withinLimits(reading) });
  },
};

/** Reads a list in which each item must be one of the given words. */
export function someOf<const T extends string>(words: readonly T[]): Reader<readonly T[]> {
  return {
    schema: { type: 'array', items: { type: 'string', enum: words }, uniqueItems: true },
    read(value, reading) {
      const of = (word: string) => ignore(word, l10n.t('one of {0}', words.join(', ')), reading) ?? [];
      return texts.read(value, reading).flatMap((word) => words.find((each) => each === word) ?? of(word));
    },
  };
}

/** Reads lists of globs, each under a name. */
function patternLists(expected: () => string): Reader<{ readonly [name: string]: readonly string[] }> {
  return {
    schema: { type: 'object', additionalProperties: NAMES },
    read: (value, reading) =>
      readTable(value, expected(), reading, (globs, name, fits) =>
        Array.isArray(globs)
          ? textsOf(globs, name, { ...reading, fits })
          : ignore(globs, l10n.t('a list of patterns, as in ["search_*"]'), { ...reading, name }),
      ),
  };
}

/** Reads globs over tool names, by server. */
export const patternsByServer = patternLists(() => l10n.t('an object of server names and lists of patterns'));

/** Reads globs for tool ids, by the name of a set. */
export const patternsBySet = patternLists(() => l10n.t('an object of set names and lists of patterns'));

export const examplesByTool: Reader<{ readonly [id: string]: readonly ToolExample[] }> = {
  schema: {
    type: 'object',
    patternProperties: {
      '/': {
        type: 'array',
        items: {
          type: 'object',
          required: ['args'],
          additionalProperties: false,
          properties: {
            args: { type: 'object' },
            description: { type: 'string' },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
  read: (value, reading) =>
    readTable(value, l10n.t('an object of tool ids and lists of examples'), reading, (list, where) => {
      if (!Array.isArray(list)) return ignore(list, l10n.t('a list of examples'), { ...reading, name: where });
      return list.flatMap((item: unknown, index): readonly ToolExample[] => {
        const parsed = exampleSchema().safeParse(item);
        if (parsed.success) return [parsed.data];
        reading.report(
          l10n.t(
            'Example {0} of {1} must be an object with args (an object) and optionally description (a text) and tags (a list of texts). It is ignored.',
            index + 1,
            where,
          ),
        );
        return [];
      });
    }),
};

/** Reads numbers, by a glob for tool ids. The first glob that matches applies. */
function numbersByGlob(entry: Reader<number>, expected: () => string): Reader<{ readonly [glob: string]: number }> {
  return {
    schema: { type: 'object', additionalProperties: entry.schema },
    read: (value, reading) =>
      readTable(value, expected(), reading, (own, where) =>
        readEntry(entry, own, { ...reading, name: where, fallback: 0 }),
      ),
  };
}

/** Reads the number of retries, by a glob for tool ids. */
export const retriesByGlob = numbersByGlob(whole(0, 20), () => l10n.t('an object of patterns and numbers'));

export const secondsByGlob = numbersByGlob(
  number(1, 3600, () => l10n.t('a number of seconds from {0} to {1}', 1, 3600)),
  () => l10n.t('an object of patterns and seconds'),
);

/** The permitted callers of tools, by a glob for tool ids. The first glob that matches applies. */
type CallerTable = { readonly [glob: string]: 'direct' | 'code' | 'both' };

/** Reads one table, or both the user's and the workspace's; see `workspaceGuards.ts`. */
export const callersByGlob: Reader<CallerTable | readonly CallerTable[]> = {
  schema: { type: 'object', additionalProperties: { type: 'string', enum: ['direct', 'code', 'both'] } },
  read: (value, { fallback, ...reading }) => {
    const both = [value].flat().slice(0, 2);
    const tables = both.map((table) => readCallers(table, { ...reading, fallback: {} }));
    return tables.length === 1 ? (tables[0] ?? fallback) : tables;
  },
};

function readCallers(value: unknown, reading: Reading<CallerTable>): CallerTable {
  return readTable(value, l10n.t('an object of patterns and callers'), reading, (caller, where) => {
    if (caller === 'direct' || caller === 'code' || caller === 'both') return caller;
    // An entry restricts calls, so the strictest value replaces a bad one.
    reading.report(l10n.t('{0} must be direct, code or both, but is {1}. Using direct.', where, show(caller)));
    return 'direct';
  });
}

/** Fields of a table, each with its reader and the value that applies if it isn't set. */
interface Fields {
  readonly [field: string]: { readonly reader: Reader<unknown>; readonly fallback: unknown };
}

/** Reads a table with these fields. A field that isn't set or is bad has its fallback. */
export function fields<const T extends Fields>(
  of: T,
): Reader<{ readonly [Field in keyof T]: T[Field] extends { readonly reader: Reader<infer Value> } ? Value : never }> {
  type Table = ReturnType<ReturnType<typeof fields<T>>['read']>;
  const properties = Object.fromEntries(Object.entries(of).map(([field, { reader }]) => [field, reader.schema]));
  return {
    schema: { type: 'object', additionalProperties: false, properties },
    read(value, reading) {
      const given = isObject(value) ? value : refuse(value, l10n.t('an object'), reading);
      for (const field of Object.keys(given))
        if (!Object.hasOwn(of, field))
          reading.report(
            l10n.t('“{0}” in {1} is ignored. Possible fields: {2}.', field, reading.name, Object.keys(of).join(', ')),
          );
      return Object.fromEntries(
        Object.entries(of).map(([field, { reader, fallback }]) => {
          const own = Object.hasOwn(given, field) ? (given as { readonly [field: string]: unknown })[field] : undefined;
          const name = l10n.t('“{0}” in {1}', field, reading.name);
          const ofUser = isObject(reading.ofUser) ? reading.ofUser[field] : undefined;
          return [field, own === undefined ? fallback : reader.read(own, { ...reading, name, fallback, ofUser })];
        }),
      ) as Table;
    },
  };
}

/** Reads values of other settings, by key under a glob. `rows` are the settings that an entry may contain. */
export function settingsByGlob(rows: Fields): Reader<{ readonly [glob: string]: { readonly [key: string]: unknown } }> {
  const properties = Object.fromEntries(Object.entries(rows).map(([key, { reader }]) => [key, reader.schema]));
  return {
    schema: { type: 'object', additionalProperties: { type: 'object', additionalProperties: false, properties } },
    read: (value, reading) =>
      readTable(value, l10n.t('an object of model patterns and settings'), reading, (entry, where) => {
        if (!isObject(entry)) {
          const expected = l10n.t('an object of settings, as in {0}', '{"mode": "on"}');
          return ignore(entry, expected, { ...reading, name: where });
        }
        return Object.fromEntries(Object.entries(entry).flatMap(([key, own]) => readOwn(key, own, where)));
        function readOwn(key: string, own: unknown, place: string): [string, unknown][] {
          const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
          const name = l10n.t('“{0}” in {1}', key, place);
          if (!row) {
            reading.report(
              l10n.t(
                '{0} is ignored, because it can’t be set for a model. Possible settings: {1}.',
                name,
                Object.keys(rows).join(', '),
              ),
            );
            return [];
          }
          const read = readEntry(row.reader, own, { ...reading, name, fallback: row.fallback });
          return read === undefined ? [] : [[key, read]];
        }
      }),
  };
}

/**
 * Reads a service's address; undefined if it can't be used. Unlike for other settings, there is no fallback: questions
 * meant for a gateway must not go to another server.
 * @param path the end of the service's base URL
 */
export function address(path: '/v1' | ''): Reader<string | undefined> {
  return {
    schema: { type: 'string' },
    read(value, { name, report, insecure }) {
      const parsed =
        typeof value === 'string'
          ? parseBaseUrl(value, path, { insecure })
          : ({ ok: false, expected: l10n.t('a URL') } as const);
      const shown = shownAddress(value);
      if (!parsed.ok)
        report(
          shown === undefined
            ? l10n.t('{0} must be {1}. Until you correct it, its models can’t be used.', name, parsed.expected)
            : l10n.t(
                '{0} must be {1}, but is {2}. Until you correct it, its models can’t be used.',
                name,
                parsed.expected,
                shown,
              ),
        );
      else if (parsed.warning) report(parsed.warning(name), 'warning');
      return parsed.ok ? parsed.url : undefined;
    },
  };
}

/** Returns a bad address for a message, without the parts that may be a key; undefined if nothing is left. */
function shownAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  return url?.host ? show(`${url.protocol}//${url.host}${url.pathname}`) : undefined;
}

/** Returns the valid entries of a table under their own names, which may even be `__proto__`. */
function readTable<T>(
  value: unknown,
  expected: string,
  reading: Reading<{ readonly [name: string]: T }>,
  /** Reads the entry at the place `where`; undefined leaves it out. `fits` says whether a text is within the limits. */
  read: (entry: unknown, where: string, fits: (text: string) => boolean) => T | undefined,
): { readonly [name: string]: T } {
  const result: { [name: string]: T } = {};
  const table = isObject(value) ? value : refuse(value, expected, reading);
  const [ofUser, others] = [withinLimits(reading), withinLimits(reading)];
  // A workspace's entries can come first, as numbers do in objects. They must not take the place of the user's.
  const entries = Object.entries(table).sort(([a, one], [b, other]) => rank(a, one) - rank(b, other));
  function rank(name: string, entry: unknown): number {
    if (!isObject(reading.ofUser) || !Object.hasOwn(reading.ofUser, name)) return 2;
    return sameJson(reading.ofUser[name], entry) ? 0 : 1;
  }
  for (const [name, entry] of entries) {
    const fits = rank(name, entry) < 2 ? ofUser : others;
    if (!fits(name)) continue;
    const taken = read(entry, l10n.t('“{0}” in {1}', name, reading.name), fits);
    if (taken !== undefined)
      Object.defineProperty(result, name, { value: taken, enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** Reads an entry of a table. Returns undefined if the entry is bad, to leave it out. */
function readEntry<T>(reader: Reader<T>, value: unknown, reading: Reading<T>): T | undefined {
  let bad = false;
  const read = reader.read(value, {
    ...reading,
    instead: l10n.t('It is ignored.'),
    report: (message, severity) => {
      bad = true;
      reading.report(message, severity);
    },
  });
  return bad ? undefined : read;
}

/** Returns the strings of a list that are within the limits. Other items are reported and left out. */
function textsOf(
  list: readonly unknown[],
  where: string,
  { report, fits }: Pick<Reading<unknown>, 'report'> & { readonly fits: (text: string) => boolean },
): readonly string[] {
  return list.filter((item, index): item is string => {
    if (!fits(typeof item === 'string' ? item : '')) return false;
    if (typeof item === 'string' && item.trim() !== '') return true;
    ignore(item, l10n.t('a text that isn’t empty'), { name: l10n.t('Entry {0} of {1}', index + 1, where), report });
    return false;
  });
}

/** @param expected ends the sentence "must be …" */
function refuse<T>(
  value: unknown,
  expected: string,
  { name, fallback, instead, report }: Omit<Reading<T>, keyof SettingsContext | 'insecure'>,
): T {
  const used = instead ?? l10n.t('Using {0}.', show(fallback));
  report(`${l10n.t('{0} must be {1}, but is {2}.', name, expected, show(value))} ${used}`);
  return fallback;
}

/** Reports a bad entry of a list or table, which is left out. */
function ignore(
  value: unknown,
  expected: string,
  { name, report }: Pick<Reading<never>, 'name' | 'report'>,
): undefined {
  return refuse<undefined>(value, expected, { name, report, fallback: undefined, instead: l10n.t('It is ignored.') });
}

/** Returns a value as it is written in settings.json, cut so that it fits into a sentence. */
export function show(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value), 60);
}
