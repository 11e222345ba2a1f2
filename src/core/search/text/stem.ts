import { stemmer } from 'stemmer';

/** The longest word that is stemmed, in letters. Longer text was written without spaces and would take long. */
const LONGEST = 50;

/**
 * Returns the root of a word by the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980).
 * `connect`, `connected`, `connecting` and `connection` have the same root. Roots are too coarse for the index, since
 * `general`, `generate` and `generic` share one too. The ranking uses them only for weak matches.
 */
export function rootOf(word: string): string {
  return word.length < 4 || word.length > LONGEST || !/^[a-z]+$/.test(word) ? word : stemmer(word);
}
