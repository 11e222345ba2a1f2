import { compareText } from '../../catalog/tool';
import { rootOf } from './stem';
import { eachWordOf, runsOf, singular } from './words';

// The words of all tools as numbers, and the words that are related to a word or misspell it.

/** The length of words with typo tolerance. Shorter words have too many neighbours; longer ones aren't words. */
const MIN_TYPO_LENGTH = 5;
const MAX_TYPO_LENGTH = 40;

/**
 * The longest run that is remembered. Longer runs are data, or a sentence in a script without spaces, and hardly come
 * again.
 */
const MAX_RUN = 40;

/**
 * Numbers the words of all tools, so that the index works on small integers. A singular and its plural share a number.
 * Numbers are never withdrawn: a word that no tool has any longer is simply found in no list.
 */
export class Vocabulary {
  /** The numbers of words in lower case, as written and in the singular. */
  private readonly byWord = new Map<string, number>();
  /**
   * The result of {@link read} for a run of letters and digits, in any case: the term of its only word, or all its
   * terms.
   */
  private readonly byRun = new Map<string, number | readonly number[]>();
  private readonly terms: string[] = [];
  /** Words by root: those that are forms of one word. */
  private readonly families = new Chains<string>();
  /** Words that aren't in `families` yet, by their beginning. Of thousands of words, few are looked up. */
  private readonly rootless = new Map<number, number[]>();
  /**
   * Words by first letter and length, so that a misspelt word is compared with few others. Filled when a word is
   * misspelt, which is rare.
   */
  private readonly shapes = new Chains<number>();
  /** The number of words in `shapes`: the first ones. */
  private shaped = 0;

  /** Returns the word's number. A new word gets one. */
  add(word: string): number {
    const known = this.byWord.get(word);
    if (known !== undefined) return known;
    const term = singular(word);
    let id = this.byWord.get(term);
    if (id === undefined) {
      id = this.terms.push(term) - 1;
      this.byWord.set(term, id);
      const beginning = term.length < KEEPS_BEGINNING ? letterOf(term) : beginningOf(term);
      const others = this.rootless.get(beginning);
      if (others) others.push(id);
      else this.rootless.set(beginning, [id]);
    }
    if (term !== word) this.byWord.set(word, id);
    return id;
  }

  /**
   * Writes the numbers of a text's words into `into`, from `count` on, and returns the new count. The number of several
   * words joined follows its parts and is negative (`~`). `into` must have room for two numbers for each letter. A text
   * has some thousand runs, most of them known, so no run is taken apart twice.
   */
  read(text: string, into: Int32Array, count: number): number {
    let end = count;
    const runs = runsOf(text);
    for (let i = 0; i < runs.length; i++) {
      const run = runs[i] as string;
      const terms = this.byRun.get(run) ?? this.addRun(run);
      if (typeof terms === 'number') into[end++] = terms;
      else for (let j = 0; j < terms.length; j++) into[end++] = terms[j] as number;
    }
    return end;
  }

  private addRun(run: string): number | readonly number[] {
    const terms: number[] = [];
    eachWordOf(run, (word, parts) => terms.push(parts === 1 ? this.add(word) : ~this.add(word)));
    const read = terms.length === 1 ? (terms[0] as number) : terms;
    if (run.length <= MAX_RUN) this.byRun.set(run, read);
    return read;
  }

  /** Returns the word's number, or -1. */
  find(word: string): number {
    return this.byWord.get(word) ?? this.byWord.get(singular(word)) ?? -1;
  }

  /** Returns the word of a number, in the singular. */
  wordOf(term: number): string {
    return this.terms[term] ?? '';
  }

  /**
   * Returns the numbers of the words with the same root (`connect`, `connecting`, `connection`), including the word's
   * own.
   */
  family(word: string): readonly number[] {
    const root = rootOf(singular(word));
    for (const beginning of [letterOf(root), beginningOf(root)]) {
      for (const id of this.rootless.get(beginning) ?? []) this.families.add(rootOf(this.terms[id] as string), id);
      this.rootless.delete(beginning);
    }
    return this.sort(this.families.of(root));
  }

  /**
   * Returns the numbers of the words that are one typo away. The first letter must be right, as it nearly always is.
   * @param start the place of the first letter; the mark of a language may come before it
   */
  near(word: string, start = 0): readonly number[] {
    if (word.length - start < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return [];
    for (; this.shaped < this.terms.length; this.shaped++)
      this.shapes.add(shapeOf(this.terms[this.shaped] as string, 0), this.shaped);
    const second = word.charCodeAt(1);
    const last = word.charCodeAt(word.length - 1);
    const near: number[] = [];
    for (const longer of [-1, 0, 1]) {
      for (const id of this.shapes.of(shapeOf(word, longer))) {
        const term = this.terms[id] as string;
        // One typo can't change both ends of a word.
        if (term.charCodeAt(1) !== second && term.charCodeAt(term.length - 1) !== last) continue;
        if (term.charCodeAt(start) === word.charCodeAt(start) && isOneTypo(word, term)) near.push(id);
      }
    }
    return this.sort(near);
  }

  /** Sorts by word. Numbers depend on the order in which tools came, and a sum of fractions depends on its order. */
  private sort(ids: number[]): readonly number[] {
    return ids.length < 2 ? ids : ids.sort((a, b) => compareText(this.terms[a] ?? '', this.terms[b] ?? ''));
  }
}

/**
 * The number of letters from which a word and its root begin alike. The stemmer leaves at least two letters and changes
 * only a last y, to i.
 */
const KEEPS_BEGINNING = 6;

/** Returns the beginning of a shorter word. It differs from every result of {@link beginningOf}. */
function letterOf(word: string): number {
  return -word.charCodeAt(0);
}

function beginningOf(word: string): number {
  const second = word.charCodeAt(1) || 0;
  return word.charCodeAt(0) * 0x10000 + (second === 121 ? 105 : second);
}

/**
 * Lists of small numbers under keys; each number is in one list only. Each key has the last number of its list, and
 * each number has the one before it.
 */
class Chains<Key> {
  private readonly last = new Map<Key, number>();
  private readonly before: number[] = [];

  add(key: Key, id: number): void {
    this.before[id] = this.last.get(key) ?? -1;
    this.last.set(key, id);
  }

  of(key: Key): number[] {
    const ids: number[] = [];
    for (let id = this.last.get(key) ?? -1; id >= 0; id = this.before[id] as number) ids.push(id);
    return ids;
  }
}

function shapeOf(word: string, longer: number): number {
  return word.charCodeAt(0) * 1_000 + Math.min(999, word.length + longer);
}

/** Whether two words differ by one letter that is inserted, missing, replaced, or swapped with its neighbour. */
function isOneTypo(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const restA = endA - start;
  const restB = endB - start;
  if (restA <= 1 && restB <= 1) return true;
  return restA === 2 && restB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}
