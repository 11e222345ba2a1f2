/** A range of a text: the index of its first character, and the index after its last. */
export type TextRange = readonly [from: number, to: number];

/** The number of characters at a needle's beginning that the table knows. Needles aren't shorter. */
const START = 4;

/**
 * Finds many texts (needles) in one text. A table of their beginnings shows at most places that no needle begins there,
 * so the time hardly depends on the number of needles.
 */
export class Needles {
  /** The needles by the hash of their beginning, the longest first. */
  readonly #byStart: (readonly string[] | undefined)[] = Array.from({ length: 0x1_0000 });
  /** The shorter beginnings of needles. */
  readonly #begun = new Set<string>();
  readonly #longest: number;

  constructor(needles: readonly string[]) {
    const sorted = [...needles].sort((a, b) => b.length - a.length);
    this.#longest = sorted[0]?.length ?? 0;
    for (const needle of sorted) {
      const start = hashAt(needle, 0);
      this.#byStart[start] = [...(this.#byStart[start] ?? []), needle];
      for (let length = 1; length < START; length++) this.#begun.add(needle.slice(0, length));
    }
  }

  /** Yields the place of each needle in the text. Places that overlap or touch are joined. */
  *in(text: string): Generator<TextRange> {
    let open: [from: number, to: number] | undefined;
    for (let at = 0; at <= text.length - START; at++) {
      const found = this.#byStart[hashAt(text, at)]?.find((needle) => text.startsWith(needle, at));
      if (found === undefined) continue;
      const end = at + found.length;
      if (open && at <= open[1]) open[1] = Math.max(open[1], end);
      else {
        if (open) yield open;
        open = [at, end];
      }
    }
    if (open) yield open;
  }

  /** Whether the text contains a needle. For most texts, which contain none, this check is enough. */
  isIn(text: string): boolean {
    return !this.in(text).next().done;
  }

  /** Returns the number of characters at the end of a text that are the beginning of a needle, or a whole needle. */
  begunAtEndOf(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest); at < text.length; at++) {
      const rest = text.length - at;
      const isBegun =
        rest < START
          ? this.#begun.has(text.slice(at))
          : this.#byStart[hashAt(text, at)]?.some((needle) => needle.startsWith(text.slice(at)));
      if (isBegun) return rest;
    }
    return 0;
  }
}

/** Returns a hash of the first characters at a position. */
function hashAt(text: string, at: number): number {
  const [a, b, c, d] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)];
  return (a ^ (b << 3) ^ (c << 6) ^ (d << 9)) & 0xffff;
}
