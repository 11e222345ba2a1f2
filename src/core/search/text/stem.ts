import { stemmer } from 'stemmer';

/** The maximum length of a stemmed word, in letters. Longer text was written without spaces and would take long. */
const LONGEST = 50;

/**
 * Endings of nouns whose verbs are spelled otherwise, which the stemmer doesn't know (`notification`, `notify`). An
 * ending and its verb's begin with the same letter; see `beginningOf` in vocabulary.ts.
 */
const VERB_ENDINGS: Readonly<Record<string, string>> = {
  ification: 'ify',
  script: 'scribe',
  scription: 'scribe',
  mission: 'mit',
  version: 'vert',
  duction: 'duce',
};
const NOUN_ENDING = /(?<=[a-z])(?:ification|script(?:ion)?|(?<!com)mission|version|duction)$/;

/**
 * Returns the root of a word by the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980).
 * `connect`, `connected`, `connecting` and `connection` have the same root. Roots are too coarse for the index, since
 * `general`, `generate` and `generic` share one too. The ranking uses them only for weak matches.
 */
export function rootOf(word: string): string {
  if (word.length < 4 || word.length > LONGEST || !/^[a-z]+$/.test(word)) return word;
  return stemmer(word.replace(NOUN_ENDING, (ending) => VERB_ENDINGS[ending] as string));
}

/** Words that end in s like a plural, and aren't one. */
const NOT_PLURAL = new Set(['news', 'series', 'species', 'always', 'canvas', 'kubernetes', 'does']);

/** Plurals without a rule, by the words that tools' texts have. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
  ['vertices', 'vertex'],
  ['matrices', 'matrix'],
]);

/**
 * Returns the singular of a plural, and any other word unchanged. This is Harman's S-stemmer ("How effective is
 * suffixing?", 1991) with corrections for the endings -ches, -shes, -sses and -xes. Stronger stemming would merge words
 * that tool names distinguish (`export`/`exporter`).
 */
export function singular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular) return irregular;
  const length = word.length;
  if (length < 4 || word.charCodeAt(length - 1) !== 115 || NOT_PLURAL.has(word)) return word;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/[^ae]ies$/.test(word) && length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
