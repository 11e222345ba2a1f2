import { rootOf } from './stem';
import { singular } from './text';

/**
 * Numbers the words of all tools, so that the index works on small integers. Words that differ in their plural only share
 * a number. Numbers are never taken back: a word that no tool has any more is simply found nowhere.
 */
export class Vocabulary {
  private readonly byWord = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly byRoot = new Map<string, number[]>();

  get size(): number {
    return this.terms.length;
  }

  /** The word's number, given now if it has none. */
  add(word: string): number {
    const known = this.byWord.get(word);
    if (known !== undefined) return known;
    const term = singular(word);
    let id = this.byWord.get(term);
    if (id === undefined) {
      id = this.terms.push(term) - 1;
      this.byWord.set(term, id);
      const root = rootOf(term);
      const family = this.byRoot.get(root);
      if (family) family.push(id);
      else this.byRoot.set(root, [id]);
    }
    if (term !== word) this.byWord.set(word, id);
    return id;
  }

  /** The word's number, or -1. */
  find(word: string): number {
    return this.byWord.get(word) ?? this.byWord.get(singular(word)) ?? -1;
  }

  /** Numbers of the words with the same root (`create`, `creating`, `creation`), the word's own among them. */
  family(word: string): readonly number[] {
    return this.byRoot.get(rootOf(singular(word))) ?? [];
  }

  term(id: number): string {
    return this.terms[id] ?? '';
  }
}
