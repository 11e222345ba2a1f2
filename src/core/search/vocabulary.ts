import { compareText } from '../catalog/tool';
import { rootOf } from './stem';
import { singular } from './words';
import { WordTable } from './wordTable';

/** Words shorter than this have too many neighbours for typo tolerance to mean anything; longer ones aren't words. */
const MIN_TYPO_LENGTH = 5;
const MAX_TYPO_LENGTH = 40;

/**
 * Numbers the words of all tools, so that the index works on small integers. Words that differ in their plural only share
 * a number. Numbers are never taken back: a word that no tool has any more is simply found nowhere.
 */
export class Vocabulary {
  private readonly byWord = new WordTable();
  private readonly terms: string[] = [];
  /** By root: words that are forms of one. */
  private readonly families = new Chains<string>();
  /** By first letter and length, to compare a misspelt word with few others. Filled when a word is misspelt: few are. */
  private readonly shapes = new Chains<number>();

  /** The word's number, given now if it has none. */
  add(word: string): number {
    return this.addSpan(word, 0, word.length);
  }

  /** The same for a word inside a text, in whatever case. */
  addSpan(text: string, start: number, end: number): number {
    const known = this.byWord.find(text, start, end);
    if (known >= 0) return known;
    const word = text.slice(start, end).toLowerCase();
    const term = singular(word);
    let id = this.byWord.find(term, 0, term.length);
    if (id < 0) {
      id = this.terms.push(term) - 1;
      this.byWord.set(term, id);
      this.families.add(rootOf(term), id);
    }
    if (term !== word) this.byWord.set(word, id);
    return id;
  }

  /** The word's number, or -1. */
  find(word: string): number {
    const id = this.byWord.find(word, 0, word.length);
    if (id >= 0) return id;
    const base = singular(word);
    return base === word ? -1 : this.byWord.find(base, 0, base.length);
  }

  /** The word of a number, singular. */
  wordOf(term: number): string {
    return this.terms[term] ?? '';
  }

  /** Numbers of the words with the same root (`connect`, `connecting`, `connection`), the word's own among them. */
  family(word: string): readonly number[] {
    return this.sort(this.families.of(rootOf(singular(word))));
  }

  /** Numbers of the words that are one typo away. The first letter must be right, as it nearly always is. */
  near(word: string): readonly number[] {
    if (word.length < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return [];
    for (let id = this.shapes.size; id < this.terms.length; id++) this.shapes.add(shapeOf(this.terms[id] as string, 0), id);
    const second = word.charCodeAt(1);
    const last = word.charCodeAt(word.length - 1);
    const near: number[] = [];
    for (const longer of [-1, 0, 1]) {
      for (const id of this.shapes.of(shapeOf(word, longer))) {
        const term = this.terms[id] as string;
        // One typo can't change both ends of a word.
        if (term.charCodeAt(1) !== second && term.charCodeAt(term.length - 1) !== last) continue;
        if (isOneTypo(word, term)) near.push(id);
      }
    }
    return this.sort(near);
  }

  /** By word: numbers depend on the order in which tools came, and a sum of fractions on its own order. */
  private sort(ids: number[]): readonly number[] {
    return ids.length < 2 ? ids : ids.sort((a, b) => compareText(this.terms[a] ?? '', this.terms[b] ?? ''));
  }
}

/** Lists of small numbers under keys, each number once in all: the last of a list, and before each the one that came before. */
class Chains<Key> {
  private readonly last = new Map<Key, number>();
  private readonly before: number[] = [];

  /** How many numbers are in it. */
  get size(): number {
    return this.before.length;
  }

  /** Numbers must come in their order, from 0 on. */
  add(key: Key, id: number): void {
    this.before.push(this.last.get(key) ?? -1);
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

/** Whether two words differ by one letter: put in, left out, replaced, or swapped with its neighbour. */
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
