import { stemmer } from 'stemmer';

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
  return word.length < 4 || word.length > LONGEST || !/^[a-z]+$/.test(word) ? word : stemmer(word);
}
