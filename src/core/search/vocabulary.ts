import { compareText } from '../catalog/tool';
import { rootOf } from './stem';
import { singular } from './text';

/** Words shorter than this have too many neighbours for typo tolerance to mean anything; longer ones aren't words. */
const MIN_TYPO_LENGTH = 5;
const MAX_TYPO_LENGTH = 40;

/**
 * Numbers the words of all tools, so that the index works on small integers. Words that differ in their plural only share
 * a number. Numbers are never taken back: a word that no tool has any more is simply found nowhere.
 */
export class Vocabulary {
  private readonly byWord = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly byRoot = new Map<string, number[]>();
  /** Of each number, the list of its root in `byRoot`. */
  private readonly families: number[][] = [];
  /** By first letter and length, to compare a misspelt word with few others. */
  private readonly byShape = new Map<string, number[]>();

  /** The word's number, given now if it has none. */
  add(word: string): number {
    const known = this.byWord.get(word);
    if (known !== undefined) return known;
    const term = singular(word);
    let id = this.byWord.get(term);
    if (id === undefined) {
      id = this.terms.push(term) - 1;
      this.byWord.set(term, id);
      const family = file(this.byRoot, rootOf(term), id);
      this.families.push(family);
      this.sort(family);
      file(this.byShape, shapeOf(term, 0), id);
    }
    if (term !== word) this.byWord.set(word, id);
    return id;
  }

  /** The word's number, or -1. */
  find(word: string): number {
    const id = this.byWord.get(word);
    if (id !== undefined) return id;
    const base = singular(word);
    return base === word ? -1 : (this.byWord.get(base) ?? -1);
  }

  /** The word of a number, singular. */
  wordOf(term: number): string {
    return this.terms[term] ?? '';
  }

  /** Numbers of the words with the same root (`connect`, `connecting`, `connection`), the word's own among them. */
  family(word: string): readonly number[] {
    const id = this.find(word);
    return (id >= 0 ? this.families[id] : this.byRoot.get(rootOf(singular(word)))) ?? [];
  }

  /** Numbers of the words that are one typo away. The first letter must be right, as it nearly always is. */
  near(word: string): readonly number[] {
    if (word.length < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return [];
    const second = word.charCodeAt(1);
    const last = word.charCodeAt(word.length - 1);
    const near: number[] = [];
    for (const longer of [-1, 0, 1]) {
      for (const id of this.byShape.get(shapeOf(word, longer)) ?? []) {
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

/** Adds a number to a list of the map, and returns that list. */
function file(map: Map<string, number[]>, key: string, id: number): number[] {
  const ids = map.get(key) ?? [];
  if (ids.push(id) === 1) map.set(key, ids);
  return ids;
}

function shapeOf(word: string, longer: number): string {
  return `${word[0]}${word.length + longer}`;
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
