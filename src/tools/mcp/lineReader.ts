import { StringDecoder } from 'node:string_decoder';

/** Cuts a stream into lines, in time that grows with its length alone, however the chunks fall. */
export class LineReader {
  readonly #max: number;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;

  /** @param max the longest line, in characters */
  constructor(max: number, onLine: (line: string) => void) {
    this.#max = max;
    this.#onLine = onLine;
  }

  /** Returns false, and keeps nothing of it, where the line that is being read becomes too long. */
  add(chunk: Buffer): boolean {
    const [first = '', ...rest] = this.#decoder.write(chunk).split('\n');
    this.#keep(first);
    for (const part of rest) {
      const line = this.#parts.join('');
      this.drop();
      this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      this.#keep(part);
    }
    if (this.#length <= this.#max) return true;
    this.drop();
    return false;
  }

  /** Forgets what it has of a line. */
  drop(): void {
    this.#parts = [];
    this.#length = 0;
  }

  #keep(part: string): void {
    if (part !== '') this.#parts.push(part);
    this.#length += part.length;
  }
}
