import { StringDecoder } from 'node:string_decoder';

/** Splits a stream into lines. The time is linear in the length, whatever the chunks. */
export class LineReader {
  readonly #max: number;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;
  /** Whether the rest of a line that was too long is being skipped. */
  #isSkipping = false;

  /** @param max the maximum length of a line, in characters */
  constructor(max: number, onLine: (line: string) => void) {
    this.#max = max;
    this.#onLine = onLine;
  }

  /** Adds data. Returns false if the current line is too long; that line is dropped. */
  add(chunk: Buffer): boolean {
    const [first = '', ...rest] = this.#decoder.write(chunk).split('\n');
    this.#keep(first);
    for (const part of rest) {
      const line = this.#parts.join('');
      const isWhole = !this.#isSkipping;
      this.#drop();
      this.#isSkipping = false;
      if (isWhole) this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      this.#keep(part);
    }
    if (this.#length > this.#max) {
      this.#drop();
      this.#isSkipping = true;
    }
    return !this.#isSkipping;
  }

  #drop(): void {
    this.#parts = [];
    this.#length = 0;
  }

  #keep(part: string): void {
    if (part === '' || this.#isSkipping) return;
    this.#parts.push(part);
    this.#length += part.length;
  }
}
