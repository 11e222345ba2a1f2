import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Tool, toolId } from '../../src/core/catalog/tool';
import type { SearchWords, WordsOf } from '../../src/core/search/words/searchWords';
import { WordBook } from '../../src/core/search/words/wordBook';
import { isObject } from '../../src/core/util/objects';

/** A query with its right answers. */
export interface Query {
  readonly query: string;
  readonly kind: string;
  /** The needs of the query. Any id of a group meets the group's need. */
  readonly groups: readonly (readonly string[])[];
}

/** A mistake in the command's input. It is shown without a stack. */
export class InputError extends Error {
  readonly expected = true;
}

const USAGE =
  'Options: --tools FILE, --queries FILE, --strategy NAME, --json; of eval alone: --words FILE…, --no-words, --shipped-words, --dev DIR…, --save FILE, --baseline FILE.';

/** The options of both commands; `defaults` is the folder of the project's own data. */
export function readOptions(args: string[], defaults: string) {
  try {
    const { values, positionals } = parseArgs({
      args,
      // For `--dev A B`, which is how shells expand several folders.
      allowPositionals: args.includes('--dev'),
      options: {
        tools: { type: 'string', default: `${defaults}tools.jsonl` },
        queries: { type: 'string', default: `${defaults}queries.jsonl` },
        strategy: { type: 'string', default: 'bm25' },
        words: { type: 'string', multiple: true },
        'no-words': { type: 'boolean', default: false },
        'shipped-words': { type: 'boolean', default: false },
        dev: { type: 'string', multiple: true },
        save: { type: 'string' },
        baseline: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    return { ...values, dev: values.dev && [...values.dev, ...positionals] };
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message.split('. ')[0] : error}. ${USAGE}`);
  }
}

/**
 * Reads `{"server","name","description","inputSchema"}` lines. Of several tools with one id, uses the first and reports
 * this to stderr.
 */
export function readTools(file: string): Tool[] {
  const seen = new Set<string>();
  const twice: string[] = [];
  const tools = readLines(file, (line, fail): Tool[] => {
    const { server, name, title } = line;
    const description = line.description ?? '';
    const inputSchema = line.inputSchema ?? {};
    if (typeof server !== 'string' || typeof name !== 'string') return fail('a tool needs "server" and "name"');
    if (typeof description !== 'string') return fail('"description" must be a string');
    if (!isObject(inputSchema)) return fail('"inputSchema" must be an object');
    const id = toolId(server, name);
    if (seen.has(id)) {
      twice.push(id);
      return [];
    }
    seen.add(id);
    return [
      {
        id,
        server,
        name,
        modelName: name,
        invokeName: name,
        ...(typeof title === 'string' ? { title } : {}),
        description,
        inputSchema,
        origin: 'mcp',
      },
    ];
  });
  if (twice.length > 0)
    console.error(`${file}: ${twice.length} tools are there twice (${twice[0]} …); the first of each counts.`);
  return tools.flat();
}

/** Reads `{"query","gold":[ids],"groups":[[ids],…],"kind"}` lines. Without `groups`, all of `gold` meets one need. */
export function readQueries(file: string): Query[] {
  const isIds = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((id) => typeof id === 'string');
  return readLines(file, (line, fail) => {
    const { query, kind = 'all', gold, groups = [gold] } = line;
    if (typeof query !== 'string') return fail('a query needs "query"');
    if (typeof kind !== 'string') return fail('"kind" must be a string');
    if (!Array.isArray(groups) || groups.length === 0 || !groups.every(isIds))
      return fail('"gold" or "groups" must list ids of tools');
    return { query, kind, groups };
  });
}

/**
 * Reads `{"id","words"}` lines: search words by tool id. `words` is a text with commas (English), or texts or lists by
 * language, as in `{"en": "…", "de": ["…"]}`. A tool's words of several lines and files are combined.
 */
export function readWords(files: readonly string[]): ReadonlyMap<string, SearchWords> {
  const all = new Map<string, Record<string, readonly string[]>>();
  for (const file of files) {
    readLines(file, ({ id, words }, fail) => {
      if (typeof id !== 'string') return fail('words need the "id" of their tool');
      for (const [language, own] of Object.entries(isObject(words) ? words : { en: words })) {
        const phrases = typeof own === 'string' ? own.split(',').map((phrase) => phrase.trim()) : own;
        if (!Array.isArray(phrases) || !phrases.every((phrase) => typeof phrase === 'string'))
          return fail('"words" must be a text, or texts by language');
        const known = all.get(id) ?? {};
        all.set(id, { ...known, [language]: [...(known[language] ?? []), ...phrases] });
      }
    });
  }
  return all;
}

/** The words that the extension ships, in the form in which it assigns them to a tool. */
export function shippedWords(folder: string): WordsOf {
  const book = new WordBook();
  const fail = (error: unknown) => {
    throw error;
  };
  for (const file of readdirSync(folder)) book.ship(readFileSync(join(folder, file), 'utf8'), fail);
  return book.of;
}

function readLines<Item>(
  file: string,
  parse: (line: Record<string, unknown>, fail: (why: string) => never) => Item,
): Item[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file}: can't be read (${error instanceof Error && 'code' in error ? error.code : error}).`);
  }
  // Windows editors put U+FEFF at the start of a file.
  const items = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, i) => {
      const fail = (why: string): never => {
        throw new InputError(`${file}:${i + 1}: ${why}.`);
      };
      if (line.trim() === '') return [];
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (error) {
        return fail(`not JSON (${error instanceof Error ? error.message : error})`);
      }
      if (!isObject(value)) return fail('not a JSON object');
      return [parse(value, fail)];
    });
  if (items.length === 0) throw new InputError(`${file}: is empty; it needs one JSON object a line.`);
  return items;
}
