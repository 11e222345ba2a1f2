import { compareText } from '../../catalog/tool';
import { rootOf } from './stem';
import { eachWordOf, runsOf, singular } from './words';

/** Words shorter than this have too many neighbours for typo tolerance to mean anything; longer ones aren't words. */
const MIN_TYPO_LENGTH = 5;
const MAX_TYPO_LENGTH = 40;

/** Longer runs are data, or a sentence in a script without spaces: they hardly come again. */
const MAX_RUN = 40;

/**
 * Numbers the words of all tools, so that the index works on small integers. Words that differ in their plural only share
 * a number. Numbers are never taken back: a word that no tool has any more is simply found nowhere.
 */
export class Vocabulary {
  /** Lower case, as written and in the singular. */
  private readonly byWord = new Map<string, number>();
  /** What {@link read} gives for a run of letters and digits, in whatever case: the term of its only word, or all it has. */
  private readonly byRun = new Map<string, number | readonly number[]>();
  private readonly terms: string[] = [];
  /** By root: words that are forms of one. */
  private readonly families = new Chains<string>();
  /** Words that aren't in `families` yet, by how they begin: of thousands, few are asked for. */
  private readonly rootless = new Map<number, number[]>();
  /** By first letter and length, to compare a misspelt word with few others. Filled when a word is misspelt: few are. */
  private readonly shapes = new Chains<number>();
  /** How many words are in `shapes`: the first ones. */
  private shaped = 0;

  /** The word's number, given now if it has none. */
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
   * Writes the numbers of a text's words into `into`, from `count` on, and returns how many are in it then; that of several words
   * in one, which stands behind its parts, is negative (`~`). There must be room for two for each letter. A text has some
   * thousand runs, nearly all of them known, so none is taken apart twice.
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

  /** The word's number, or -1. */
  find(word: string): number {
    return this.byWord.get(word) ?? this.byWord.get(singular(word)) ?? -1;
  }

  /** The word of a number, singular. */
  wordOf(term: number): string {
    return this.terms[term] ?? '';
  }

  /** Numbers of the words with the same root (`connect`, `connecting`, `connection`), the word's own among them. */
  family(word: string): readonly number[] {
    const root = rootOf(singular(word));
    for (const beginning of [letterOf(root), beginningOf(root)]) {
      for (const id of this.rootless.get(beginning) ?? []) this.families.add(rootOf(this.terms[id] as string), id);
      this.rootless.delete(beginning);
    }
    return this.sort(this.families.of(root));
  }

  /** Numbers of the words that are one typo away. The first letter must be right, as it nearly always is. */
  near(word: string): readonly number[] {
    if (word.length < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH) return [];
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

/** From so many letters on a word and its root begin alike: the stemmer leaves two letters at least, and makes an i of a last y alone. */
const KEEPS_BEGINNING = 6;

/** How a shorter one begins; apart from all that {@link beginningOf} gives. */
function letterOf(word: string): number {
  return -word.charCodeAt(0);
}

function beginningOf(word: string): number {
  const second = word.charCodeAt(1) || 0;
  return word.charCodeAt(0) * 0x10000 + (second === 121 ? 105 : second);
}

/** Lists of small numbers under keys, each number once in all: the last of a list, and before each the one that came before. */
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
