import * as z from 'zod/mini';
import { asObject } from '../../util/objects';
import { oneLine } from '../../util/plainText';
import type { SearchWords } from './searchWords';

/** The maximum length of a search word or phrase, in UTF-16 units. */
const MAX_PHRASE = 60;
/** The maximum number of phrases of one language for one tool. */
const MAX_PHRASES = 24;
/** The maximum number of tools in one file. */
const MAX_TOOLS = 10_000;
/** The maximum size of a file that is read, in UTF-16 units and in bytes. */
export const MAX_FILE = 8_000_000;

/** Matches a language tag such as `de` or `pt-br`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/;

const file = z.object({ tools: z.record(z.string(), z.unknown()) });

/** The words of one tool in a file. */
export interface WordsEntry {
  readonly words: SearchWords;
  /** Significant words of the tool's definition. They show whether a tool of the same name is the same tool. */
  readonly about: readonly string[];
}

/**
 * Reads a file with search words: `{"tools": {"NAME": {"about": "…", "en": ["…"], "de": ["…"]}}}`. A list may also be
 * one text with commas. Invalid parts are left out, since models and other people write such files.
 * @param warn called with a sentence if the file has more tools than count
 * @throws {Error} if the text isn't such a file
 */
export function readWordsFile(
  text: string,
  warn: (problem: string) => void = () => {},
): ReadonlyMap<string, WordsEntry> {
  if (text.length > MAX_FILE) throw new Error(`it has more than ${MAX_FILE} characters`);
  const read = file.safeParse(JSON.parse(text));
  if (!read.success) throw new Error('it needs "tools", an object with the words of each tool');
  const entries = Object.entries(read.data.tools);
  if (entries.length > MAX_TOOLS) warn(`Only the first ${MAX_TOOLS} of its ${entries.length} tools count.`);
  const words = new Map<string, WordsEntry>();
  for (const [name, entry] of entries.slice(0, MAX_TOOLS)) {
    const parts = asObject(entry);
    if (!parts) continue;
    const { about, ...lists } = parts;
    words.set(name, { words: boundedWords(lists), about: phrasesOf(about, ' ') });
  }
  return words;
}

/** Returns the names of a file's tools and maybe others, none with a backslash. Ten times faster than reading it. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/"([^"\\]{1,200})": ?\{/g), ([, name]) => name as string));
}

/** Returns the valid search words of any source, without invalid languages, overlong texts and surplus phrases. */
export function boundedWords(lists: { readonly [language: string]: unknown }): SearchWords {
  const words: Record<string, readonly string[]> = {};
  for (const [language, list] of Object.entries(lists)) {
    const phrases = LANGUAGE.test(language) ? phrasesOf(list, ',') : [];
    if (phrases.length > 0) words[language] = phrases;
  }
  return words;
}

function phrasesOf(list: unknown, separator: string): readonly string[] {
  const all = typeof list === 'string' ? list.slice(0, MAX_PHRASE * MAX_PHRASES).split(separator) : list;
  if (!Array.isArray(all)) return [];
  const phrases = all
    .slice(0, 10 * MAX_PHRASES)
    .filter((phrase) => typeof phrase === 'string' && phrase.length <= MAX_PHRASE)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would garble what people see
    .map((phrase: string) => oneLine(phrase.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')))
    .filter((phrase) => phrase !== '');
  return [...new Set(phrases)].slice(0, MAX_PHRASES);
}
