/** Where something in a text begins, and where the text goes on. */
export type Span = readonly [from: number, to: number];

/**
 * Finds many texts in one: an automaton after Aho and Corasick ("Efficient string matching", 1975) with all of its steps
 * written out, so that a text takes one look in a table for each of its characters, however many texts are looked for.
 */
export class Needles {
  /** Of a UTF-16 unit; 0 for those that no needle has. */
  readonly #classes = new Uint16Array(0x1_0000);
  readonly #width: number;
  /** The next state, by state and class. State 0 is the beginning. */
  readonly #next: Int32Array;
  /** The length of the longest needle that ends in a state; 0 for none. */
  readonly #ends: Int32Array;
  /** How much of a needle a state stands for. */
  readonly #depths: Int32Array;

  constructor(needles: readonly string[]) {
    let classes = 1;
    let units = 1;
    for (const needle of needles) {
      units += needle.length;
      for (let i = 0; i < needle.length; i++)
        if (this.#classes[needle.charCodeAt(i)] === 0) this.#classes[needle.charCodeAt(i)] = classes++;
    }
    this.#width = classes;
    this.#next = new Int32Array(units * classes);
    this.#ends = new Int32Array(units);
    this.#depths = new Int32Array(units);
    let states = 1;
    for (const needle of needles) {
      let state = 0;
      for (let i = 0; i < needle.length; i++) {
        const step = state * classes + this.#class(needle, i);
        state = this.#next[step] ||= states++;
        this.#depths[state] = i + 1;
      }
      this.#ends[state] = needle.length;
    }
    this.#link(states);
  }

  /** Each place where a needle stands; those that overlap or touch are one. */
  *in(text: string): Generator<Span> {
    let state = 0;
    /** Found, but what is still to be found may begin before their end. */
    const open: [from: number, to: number][] = [];
    for (let i = 0; i < text.length; i++) {
      state = this.#next[state * this.#width + this.#class(text, i)] ?? 0;
      const length = this.#ends[state] ?? 0;
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
    const classes = this.#classes;
    const next = this.#next;
    const ends = this.#ends;
    const width = this.#width;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      state = next[state * width + (classes[text.charCodeAt(i)] as number)] as number;
      if (ends[state] !== 0) return true;
    }
    return false;
  }

  /** How many of the last characters of a text are the beginning of a needle, or all of one. */
  begunAtEndOf(text: string): number {
    let state = 0;
    for (let i = 0; i < text.length; i++) state = this.#next[state * this.#width + this.#class(text, i)] ?? 0;
    return this.#depths[state] ?? 0;
  }

  #class(text: string, at: number): number {
    return this.#classes[text.charCodeAt(at)] ?? 0;
  }

  /** Where a needle can't go on, its longest end that begins a needle can. Breadth first: shorter ends are ready by then. */
  #link(states: number): void {
    const fallback = new Int32Array(states);
    const queue = [0];
    for (const state of queue) {
      const shorter = fallback[state] ?? 0;
      this.#ends[state] = Math.max(this.#ends[state] ?? 0, this.#ends[shorter] ?? 0);
      for (let step = 1; step < this.#width; step++) {
        const at = state * this.#width + step;
        const beyond = state === 0 ? 0 : (this.#next[shorter * this.#width + step] ?? 0);
        const next = this.#next[at] ?? 0;
        if (next === 0) this.#next[at] = beyond;
        else {
          fallback[next] = beyond;
          queue.push(next);
        }
      }
    }
  }
}
