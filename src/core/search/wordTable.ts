/** Multiplier of the FNV-1a hash (Fowler, Noll and Vo), 32 bits. */
const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/**
 * Numbers under words, found by where a word stands in a text, in whatever case: nothing is cut out or made lower case for a
 * word that is known, which nearly all words of a catalog are. A hash table with open addressing.
 */
export class WordTable {
  private readonly words: string[] = [];
  private readonly values: number[] = [];
  private hashes = new Int32Array(1 << 12);
  /** 1 + the place of a word in `words`, or 0. Never more than half full. */
  private cells = new Int32Array(1 << 12);

  /** The number of the word in `text` from `start` to `end`, or -1. */
  find(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    // Beyond ASCII, case isn't a matter of one bit.
    if (hash === OTHER) return this.findWord(text.slice(start, end).toLowerCase());
    const mask = this.cells.length - 1;
    for (let cell = hash & mask; ; cell = (cell + 1) & mask) {
      const at = (this.cells[cell] as number) - 1;
      if (at < 0) return -1;
      if (this.hashes[at] === hash && isAt(this.words[at] as string, text, start, end)) return this.values[at] as number;
    }
  }

  /** Files a number under a word that has none yet. */
  set(word: string, value: number): void {
    if (this.words.length * 2 >= this.cells.length) this.grow();
    const at = this.words.push(word) - 1;
    this.values.push(value);
    this.hashes[at] = hashOfWord(word);
    this.put(at);
  }

  private findWord(word: string): number {
    const hash = hashOfWord(word);
    const mask = this.cells.length - 1;
    for (let cell = hash & mask; ; cell = (cell + 1) & mask) {
      const at = (this.cells[cell] as number) - 1;
      if (at < 0) return -1;
      if (this.words[at] === word) return this.values[at] as number;
    }
  }

  private put(at: number): void {
    const mask = this.cells.length - 1;
    let cell = (this.hashes[at] as number) & mask;
    while (this.cells[cell] !== 0) cell = (cell + 1) & mask;
    this.cells[cell] = at + 1;
  }

  private grow(): void {
    const hashes = new Int32Array(this.cells.length * 2);
    hashes.set(this.hashes);
    this.hashes = hashes;
    this.cells = new Int32Array(hashes.length);
    for (let at = 0; at < this.words.length; at++) this.put(at);
  }
}

/** What {@link hashOf} says of a word that isn't ASCII. No hash is this: they are 32 bits. */
const OTHER = 2 ** 40;

/** The hash of an ASCII word as it is in lower case. */
function hashOf(text: string, start: number, end: number): number {
  let hash = BASIS | 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return OTHER;
    hash = Math.imul(hash ^ lower(code), PRIME);
  }
  return hash;
}

function hashOfWord(word: string): number {
  let hash = BASIS | 0;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME);
  return hash;
}

/** Whether an ASCII word in lower case stands there. */
function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== lower(text.charCodeAt(start + i))) return false;
  return true;
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
