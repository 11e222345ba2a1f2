// Reads descriptions of tools sentence by sentence.

import { oneLine } from '../util/plainText';

/** The maximum number of characters of a description that are read. */
export const MAX_READ = 2_000;

/** Matches the blanks after a sentence. "1." and "e.g." don't end one. */
const END = /(?<=[.!?])(?<!(?:^|[\s(])(?:\d+|e\.g|i\.e|etc|vs|approx|incl)\.)\s+/i;

/** Returns the sentences of a text, each on one line. */
export function sentencesOf(text: string): readonly string[] {
  return oneLine(text.slice(0, MAX_READ))
    .split(END)
    .filter((sentence) => sentence !== '');
}

/** Matches the mark of a deprecated tool. Without the mark, "deprecated" may be about something that the tool handles. */
const DEPRECATED = /^\W*deprecated\b|[([]deprecated\b|\bthis (?:tool|method|endpoint) (?:is|has been) deprecated\b/i;

/** Returns the sentence that says that a tool is deprecated; undefined if none does. */
export function deprecationIn(description: string): string | undefined {
  if (!/deprecated/i.test(description)) return undefined;
  return sentencesOf(description).find((sentence) => DEPRECATED.test(sentence) || sentence.includes('DEPRECATED'));
}
