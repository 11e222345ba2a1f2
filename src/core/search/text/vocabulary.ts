import { compareText } from '../../catalog/tool';
import { rootOf, singular } from './stem';
import { eachWordOf, runsOf } from './words';

/** The lengths of words with typo tolerance. Shorter words have too many similar ones, and longer ones aren't words. */
const MIN_TYPO_LENGTH = 5;
const MAX_TYPO_LENGTH = 40;

/** The maximum length of a run that is remembered. Longer ones, data or unspaced scripts, rarely occur again. */
const MAX_RUN = 40;

/**
 * Numbers the words of all tools, so that the index works on small integers. A singular and its plural share a number.
 * Numbers are never withdrawn: the number of a word that no tool has any longer simply has no documents.
 */
export class Vocabulary {
  /** The numbers of words in lower case, both as written and in the singular. */
  private readonly byWord = new Map<string, number>();
  /** The result of {@link read} for a run of letters and digits, in any case: a single term or several terms. */
  private readonly byRun = new Map<string, number | readonly number[]>();
  private readonly terms: string[] = [];
  /** Words by root. Words with the same root are forms of one word. */
  private readonly families = new Chains<string>();
  /** Words that aren't in `families` yet, by their beginning. Only few of thousands of words are ever looked up. */
  private readonly rootless = new Map<number, number[]>();
  /** Words by first letter and length, to compare a misspelt word with few others. Filled when first needed. */
  private readonly shapes = new Chains<number>();
  /** The number of words that `shapes` contains, in the order of their numbers. */
  private shaped = 0;

  /** Returns a word's number, and numbers the word if it is new. */
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
   * Writes the numbers of a text's words into `into`, from index `count` on, and returns the new count. The number of
   * several joined words follows its parts and is negative (`~`). `into` must have room for two numbers per letter. A
   * text has some thousand runs, most of which are known, so each run is split only once.
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

  /** Returns the word with this number, in the singular. */
  wordOf(term: number): string {
    return this.terms[term] ?? '';
  }

  /** Returns the numbers of all words with the same root (`connect`, `connecting`, `connection`), the word included. */
  family(word: string): readonly number[] {
    const root = rootOf(singular(word));
    for (const beginning of [letterOf(root), beginningOf(root)]) {
      for (const id of this.rootless.get(beginning) ?? []) this.families.add(rootOf(this.terms[id] as string), id);
      this.rootless.delete(beginning);
    }
    return this.sort(this.families.of(root));
  }

  /**
   * Returns the numbers of the words that are one typo away. The first letter must be right, as it almost always is.
   * @param start the index of the first letter; the mark of a language may precede it
   */
  near(word: string, start = 0): readonly number[] {
    if (word.length - start < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return [];
    for (; this.shaped < this.terms.length; this.shaped++)
      this.shapes.add(shapeOf(this.terms[this.shaped] as string, 0), this.shaped);
    const second = word.charCodeAt(start + 1);
    const last = word.charCodeAt(word.length - 1);
    const near: number[] = [];
    for (const longer of [-1, 0, 1]) {
      for (const id of this.shapes.of(shapeOf(word, longer))) {
        const term = this.terms[id] as string;
        // One typo can't change both ends of a word.
        if (term.charCodeAt(start + 1) !== second && term.charCodeAt(term.length - 1) !== last) continue;
        if (term.charCodeAt(start) === word.charCodeAt(start) && isOneTypo(word, term)) near.push(id);
      }
    }
    return this.sort(near);
  }

  /** Sorts numbers by word. They depend on the order in which tools were added, and a sum of fractions on its order. */
  private sort(ids: number[]): readonly number[] {
    return ids.length < 2 ? ids : ids.sort((a, b) => compareText(this.terms[a] ?? '', this.terms[b] ?? ''));
  }
}

/**
 * If a word has at least this many letters, the word and its root have the same {@link beginningOf}. The stemmer leaves
 * at least two letters, and only changes a final y to i.
 */
const KEEPS_BEGINNING = 6;

/** Returns the key of a word that is too short for {@link beginningOf}, different from all results of that function. */
function letterOf(word: string): number {
  return word.charCodeAt(0);
}

function beginningOf(word: string): number {
  const second = word.charCodeAt(1) || 0;
  return word.charCodeAt(0) * 0x10000 + (second === 121 ? 105 : second);
}

/** Disjoint lists of small numbers, by key. A key stores its last number, and each number the one before. */
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

/** Whether two words, at most one letter apart in length, differ by one letter or two swapped neighbours. */
export function isOneTypo(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const restA = endA - start;
  const restB = endB - start;
  if (restA <= 1 && restB <= 1) return true;
  return restA === 2 && restB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}
