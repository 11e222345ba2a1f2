import { shortHash } from '../text/hash';
import { DEFAULT_CHARS_PER_TOKEN } from './tokens';

/** Texts under this many characters are estimated: callers count word by word, and a request for each would cost more than it tells. */
const COUNTED_CHARS = 2_000;
/** How many counts are remembered. */
const MAX_KNOWN = 500;
/** More counts at once than this are estimated. */
const MAX_RUNNING = 4;
/** After a failed count the service is left alone for so long, in milliseconds. */
const REST_MS = 60_000;

/** Counts tokens for callers who ask often: exactly where that is worth a request, else by the ratio of what was counted. */
export class TokenCounter {
  readonly #count: (text: string, signal: AbortSignal) => Promise<number>;
  readonly #now: () => number;
  readonly #known = new Map<string, number>();
  readonly #running = new Map<string, Promise<number>>();
  #charsPerToken = DEFAULT_CHARS_PER_TOKEN;
  #restUntil = 0;

  constructor(count: (text: string, signal: AbortSignal) => Promise<number>, now: () => number) {
    this.#count = count;
    this.#now = now;
  }

  /** Never rejects: an estimate stands in. */
  async count(text: string, signal: AbortSignal): Promise<number> {
    if (text.length < COUNTED_CHARS) return this.#estimate(text);
    const key = `${text.length} ${shortHash(text)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const running = this.#running.get(key);
    if (running) return running;
    if (this.#running.size >= MAX_RUNNING || this.#now() < this.#restUntil) return this.#estimate(text);
    const counting = this.#ask(key, text, signal).finally(() => this.#running.delete(key));
    this.#running.set(key, counting);
    return counting;
  }

  async #ask(key: string, text: string, signal: AbortSignal): Promise<number> {
    try {
      const tokens = await this.#count(text, signal);
      if (!Number.isFinite(tokens) || tokens <= 0) throw new Error('no count');
      this.#charsPerToken = text.length / tokens;
      this.#known.set(key, tokens);
      const [oldest] = this.#known.keys();
      if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
      return tokens;
    } catch {
      if (!signal.aborted) this.#restUntil = this.#now() + REST_MS;
      return this.#estimate(text);
    }
  }

  #estimate(text: string): number {
    return Math.ceil(text.length / this.#charsPerToken);
  }
}
