/** A range of a text: the index of its first character, and the index after its last. */
export type TextRange = readonly [from: number, to: number];

/**
 * Finds many texts (needles) in one text with an automaton after Aho and Corasick ("Efficient string matching", 1975).
 * The time depends on the length of the text, not on the number of needles. A table holds the first steps, and most
 * characters need no others. Linked lists hold the deeper states, up to one for each character of the needles.
 */
export class AhoCorasick {
  /** The class of each UTF-16 unit; 0 for units that don't occur in needles. */
  readonly #classes = new Uint16Array(0x1_0000);
  readonly #width: number;
  /** The last state that a single character leads to; 0 is the start. {@link #next} has rows up to this state. */
  readonly #near: number;
  /** The next state, by state and class of the next unit. */
  readonly #next: Int32Array;
  /** By state: its first child, its next sibling, and the unit that leads to it; 0 if there is none. */
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #units: Uint16Array;
  /**
   * By state: the state of the longest suffix that is also the beginning of a needle. The search continues there after
   * a mismatch.
   */
  readonly #fallback: Int32Array;
  /** By state: the length of the longest needle that ends there; 0 if none does. */
  readonly #ends: Int32Array;
  /** By state: the number of a needle's characters that have been matched. */
  readonly #depths: Int32Array;

  constructor(needles: readonly string[]) {
    const classes = this.#classes;
    const firsts = new Map<number, number>();
    let width = 1;
    let room = 1;
    for (const needle of needles) {
      room += needle.length;
      for (let i = 0; i < needle.length; i++)
        if (classes[needle.charCodeAt(i)] === 0) classes[needle.charCodeAt(i)] = width++;
      if (needle !== '' && !firsts.has(needle.charCodeAt(0))) firsts.set(needle.charCodeAt(0), firsts.size + 1);
    }
    this.#width = width;
    this.#near = firsts.size;
    this.#next = new Int32Array((firsts.size + 1) * width);
    this.#child = new Int32Array(room);
    this.#sibling = new Int32Array(room);
    this.#units = new Uint16Array(room);
    this.#fallback = new Int32Array(room);
    this.#ends = new Int32Array(room);
    this.#depths = new Int32Array(room);
    for (const [unit, state] of firsts) {
      this.#units[state] = unit;
      this.#depths[state] = 1;
    }
    let states = firsts.size + 1;
    for (const needle of needles) {
      let state = firsts.get(needle.charCodeAt(0)) ?? 0;
      for (let i = 1; i < needle.length; i++) {
        const unit = needle.charCodeAt(i);
        let longer = this.#longer(state, unit);
        if (longer === 0) {
          longer = states++;
          this.#units[longer] = unit;
          this.#depths[longer] = i + 1;
          this.#sibling[longer] = this.#child[state] as number;
          this.#child[state] = longer;
        }
        state = longer;
      }
      this.#ends[state] = needle.length;
    }
    this.#link(states);
  }

  /** Yields the place of each needle in the text. Places that overlap or touch are joined. */
  *in(text: string): Generator<TextRange> {
    const classes = this.#classes;
    const width = this.#width;
    const near = this.#near;
    const next = this.#next;
    const ends = this.#ends;
    let state = 0;
    /** Found places that may still grow, since a later match may begin before their end. */
    const open: [from: number, to: number][] = [];
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      state = state > near ? this.#step(state, unit) : (next[state * width + (classes[unit] as number)] as number);
      const length = ends[state] as number;
      if (length === 0 && open.length === 0) continue;
      const begun = i + 1 - (this.#depths[state] ?? 0);
      while (open[0] && open[0][1] < begun) yield open.shift() as TextRange;
      if (length === 0) continue;
      let from = i + 1 - length;
      for (let last = open.at(-1); last && last[1] >= from; last = open.at(-1)) {
        from = Math.min(from, last[0]);
        open.pop();
      }
      open.push([from, i + 1]);
    }
    yield* open;
  }

  /** Whether the text contains a needle. For most texts, which contain none, this check is enough. */
  isIn(text: string): boolean {
    return !this.in(text).next().done;
  }

  /** Returns the number of characters at the end of a text that are the beginning of a needle, or a whole needle. */
  begunAtEndOf(text: string): number {
    let state = 0;
    for (let i = 0; i < text.length; i++) state = this.#step(state, text.charCodeAt(i));
    return this.#depths[state] ?? 0;
  }

  /** Returns the next state; follows fallbacks until a needle continues with this unit. */
  #step(state: number, unit: number): number {
    let at = state;
    while (at > this.#near) {
      const longer = this.#longer(at, unit);
      if (longer !== 0) return longer;
      at = this.#fallback[at] as number;
    }
    return this.#next[at * this.#width + (this.#classes[unit] as number)] as number;
  }

  /** Returns the state that a unit leads to from this state, without using fallbacks; 0 if there is none. */
  #longer(state: number, unit: number): number {
    let longer = this.#child[state] as number;
    while (longer !== 0 && this.#units[longer] !== unit) longer = this.#sibling[longer] as number;
    return longer;
  }

  /** Fills the table and the fallbacks. Works breadth first, so that the states of shorter suffixes are ready. */
  #link(states: number): void {
    const queue = new Int32Array(states);
    let queued = 0;
    const classOf = (state: number) => this.#classes[this.#units[state] as number] as number;
    for (let first = 1; first <= this.#near; first++) {
      this.#next[classOf(first)] = first;
      queue[queued++] = first;
    }
    for (let first = 1; first <= this.#near; first++) {
      this.#next.copyWithin(first * this.#width, 0, this.#width);
      for (let second = this.#child[first] as number; second !== 0; second = this.#sibling[second] as number)
        this.#next[first * this.#width + classOf(second)] = second;
    }
    for (let at = 0; at < queued; at++) {
      const state = queue[at] as number;
      const shorter = this.#fallback[state] as number;
      this.#ends[state] = Math.max(this.#ends[state] as number, this.#ends[shorter] as number);
      for (let longer = this.#child[state] as number; longer !== 0; longer = this.#sibling[longer] as number) {
        this.#fallback[longer] = this.#step(shorter, this.#units[longer] as number);
        queue[queued++] = longer;
      }
    }
  }
}
