import { groupBy } from '../../util/groupBy';

// The Porter stemmer.

/**
 * The longest word that has a root, in letters. Longer text was written without spaces, has no root, and would take
 * long to search.
 */
const LONGEST = 50;

/**
 * Returns the root of a word by the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980):
 * `connect`, `connected`, `connecting` and `connection` share one. Roots are too coarse for the index (`general`,
 * `generate` and `generic` share one), so the ranking uses them for weak matches only.
 */
export function rootOf(word: string): string {
  if (word.length < 4 || word.length > LONGEST || !/^[a-z]+$/.test(word)) return word;
  let w = word;

  if (w.endsWith('sses') || w.endsWith('ies')) w = w.slice(0, -2);
  else if (w.endsWith('s') && !w.endsWith('ss')) w = w.slice(0, -1);

  if (w.endsWith('eed')) {
    if (measure(w.slice(0, -3)) > 0) w = w.slice(0, -1);
  } else {
    const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0;
    if (cut > 0 && VOWEL.test(w.slice(0, -cut))) {
      w = w.slice(0, -cut);
      if (/(?:at|bl|iz)$/.test(w)) w += 'e';
      else if (/([^aeiouylsz])\1$/.test(w)) w = w.slice(0, -1);
      else if (measure(w) === 1 && SHORT_END.test(w)) w += 'e';
    }
  }

  if (w.endsWith('y') && VOWEL.test(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceSuffix(w, STEP_2, 0);
  w = replaceSuffix(w, STEP_3, 0);
  w = replaceSuffix(w, STEP_4, 1);

  if (w.endsWith('e')) {
    const base = w.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !SHORT_END.test(base))) w = base;
  }
  if (w.endsWith('ll') && measure(w) > 1) w = w.slice(0, -1);
  return w;
}

const VOWEL = /[aeiou]|[^aeiou]y/;
/** Consonant, vowel and consonant at the end, the last not w, x or y: `hop`, `fil`. */
const SHORT_END = /[^aeiou][aeiouy][^aeiouwxy]$/;

/** Returns how often a run of vowels is followed by a run of consonants: Porter's m. */
function measure(text: string): number {
  let runs = 0;
  let afterVowel = false;
  for (let i = 0; i < text.length; i++) {
    const vowel = isVowel(text, i);
    if (afterVowel && !vowel) runs++;
    afterVowel = vowel;
  }
  return runs;
}

/** Whether the letter is a vowel. A y is a vowel after a consonant and never at the start. */
function isVowel(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isPlainVowel(code) || (code === 121 && at > 0 && !isPlainVowel(text.charCodeAt(at - 1)));
}

function isPlainVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117;
}

type Suffix = readonly [suffix: string, by: string];
/** Suffixes by their last letter, which most words don't share. */
type Suffixes = ReadonlyMap<number, readonly Suffix[]>;

function byLastLetter(suffixes: readonly Suffix[]): Suffixes {
  return groupBy(suffixes, ([suffix]) => suffix.charCodeAt(suffix.length - 1));
}

const STEP_2 = byLastLetter([
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['entli', 'ent'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['eli', 'e'],
]);

const STEP_3 = byLastLetter([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]);

const STEP_4 = byLastLetter([
  ['ement', ''],
  ['ance', ''],
  ['ence', ''],
  ['able', ''],
  ['ible', ''],
  ['ment', ''],
  ['ion', ''],
  ['ant', ''],
  ['ent', ''],
  ['ism', ''],
  ['ate', ''],
  ['iti', ''],
  ['ous', ''],
  ['ive', ''],
  ['ize', ''],
  ['al', ''],
  ['er', ''],
  ['ic', ''],
  ['ou', ''],
]);

/** Replaces the first suffix that matches if the rest before it has a measure above `above`. */
function replaceSuffix(word: string, suffixes: Suffixes, above: number): string {
  for (const [suffix, by] of suffixes.get(word.charCodeAt(word.length - 1)) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    if (suffix === 'ion' && !/[st]$/.test(base)) return word;
    return measure(base) > above ? base + by : word;
  }
  return word;
}
