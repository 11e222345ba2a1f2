/** Something in a text: where it begins, and where the text goes on. */
export type Span = readonly [from: number, to: number];

/**
 * Finds many texts in one: an automaton after Aho and Corasick ("Efficient string matching", 1975), so that a text takes time by its
 * length, however many texts are looked for. The first steps, which nearly all of a text takes, are written out in a table; the
 * others, of which there are as many as the needles have characters, go by lists.
 */
export class AhoCorasick {
  /** Of a UTF-16 unit; 0 for those that no needle has. */
  readonly #classes = new Uint16Array(0x1_0000);
  readonly #width: number;
  /** The last state that stands for a single character; 0 is the beginning. Up to here {@link #next} knows the next state. */
  readonly #near: number;
  /** The next state, by state and class. */
  readonly #next: Int32Array;
  /** By state: its first longer one, the next longer one of the same, and the unit by which it is reached. 0 for none. */
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #units: Uint16Array;
  /** The longest end of a state that begins a needle: where the needle can't go on, that may. */
  readonly #fallback: Int32Array;
  /** The length of the longest needle that ends in a state; 0 for none. */
  readonly #ends: Int32Array;
  /** How much of a needle a state stands for. */
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

  /** Each place where a needle stands; those that overlap or touch are one. */
  *in(text: string): Generator<Span> {
    const classes = this.#classes;
    const width = this.#width;
    const near = this.#near;
    const next = this.#next;
    const ends = this.#ends;
    let state = 0;
    /** Found, but what is still to be found may begin before their end. */
    const open: [from: number, to: number][] = [];
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      state = state > near ? this.#step(state, unit) : (next[state * width + (classes[unit] as number)] as number);
      const length = ends[state] as number;
      if (length === 0 && open.length === 0) continue;
      const begun = i + 1 - (this.#depths[state] ?? 0);
      while (open[0] && open[0][1] < begun) yield open.shift() as Span;
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

  /** Whether a needle stands in the text: most texts hold none, and this is all that has to be known of them. */
  isIn(text: string): boolean {
    return !this.in(text).next().done;
  }

  /** How many of the last characters of a text are the beginning of a needle, or all of one. */
  begunAtEndOf(text: string): number {
    let state = 0;
    for (let i = 0; i < text.length; i++) state = this.#step(state, text.charCodeAt(i));
    return this.#depths[state] ?? 0;
  }

  #step(state: number, unit: number): number {
    let at = state;
    while (at > this.#near) {
      const longer = this.#longer(at, unit);
      if (longer !== 0) return longer;
      at = this.#fallback[at] as number;
    }
    return this.#next[at * this.#width + (this.#classes[unit] as number)] as number;
  }

  /** The state that a unit leads to from this one, without falling back; 0 for none. */
  #longer(state: number, unit: number): number {
    let longer = this.#child[state] as number;
    while (longer !== 0 && this.#units[longer] !== unit) longer = this.#sibling[longer] as number;
    return longer;
  }

  /** Fills in the table and the fallbacks. Breadth first: shorter ends are ready by then. */
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
