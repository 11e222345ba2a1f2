import { CountRefused, type ModelInfo } from '../ports';
import { longHash } from '../util/hash';
import { memoizeBy } from '../util/memoize';
import { setLatest } from '../util/setLatest';
import { untilAborted } from '../util/signals';
import { DEFAULT_CHARS_PER_TOKEN, ZERO } from './tokens';
import type { Tokens } from './types';

// Counts tokens with the model itself, or estimates them from its earlier counts.

/** The kinds of text, each with its own characters per token: Chinese says nothing about definitions in JSON. */
export type CountedKind = 'definitions' | 'guidance' | 'searches' | 'history';

/** Asks a model for one count. Rejects like `ModelPort.countTokens`. */
export type AskCount = (signal: AbortSignal) => Promise<number>;

/** The length in characters from which a count adjusts the estimates. Counts of shorter texts are too noisy. */
const CALIBRATION_CHARS = 2_000;
/**
 * A text of {@link TokenCounter.countForCaller} is counted if it has at least this many characters; a shorter text is
 * estimated. Such callers ask word by word, so a request for each text would cost too much.
 */
const CALLER_CHARS = 2_000;
/** The maximum number of counts for these callers that run at once. Further texts are estimated. */
const MAX_RUNNING = 4;
/** The number of counts that are remembered for each kind, the most recently used. */
const MAX_KNOWN = 50;
/** The pause after a failed count, in milliseconds. */
const REST_MS = 60_000;
/** If all callers of a count have given up and it has run for this many milliseconds, the count has failed. */
const SLOW_MS = 4_000;

/** A count in progress. It continues while at least one caller waits for it. */
interface Running {
  readonly value: Promise<number | undefined>;
  readonly abort: () => void;
  readonly since: number;
  waiting: number;
}

/**
 * Counts tokens with one model, for all callers. Counts are remembered and adjust the estimates, which are used if the
 * model can't be asked: because it can't count (it is never asked again), because a count failed (it isn't asked for a
 * minute), or because the caller cancelled (nothing changes). Never rejects.
 */
export class TokenCounter {
  readonly #now: () => number;
  readonly #certainty: Tokens['certainty'];
  /** The known counts are kept by a hash of the text, which may be megabytes. */
  readonly #of = memoizeBy((_: CountedKind) => ({
    known: new Map<string, number>(),
    running: new Map<string, Running>(),
    charsPerToken: DEFAULT_CHARS_PER_TOKEN,
  }));
  #counts: 'unknown' | 'yes' | 'no' = 'unknown';
  #restUntil = 0;

  /**
   * @param now returns the milliseconds of any clock that never goes back
   * @param certainty the certainty of the model's own counts
   */
  constructor(now: () => number = () => performance.now(), certainty: Tokens['certainty'] = 'measured') {
    this.#now = now;
    this.#certainty = certainty;
  }

  /** The characters per token for estimates of definitions. */
  get charsPerToken(): number {
    return this.#of('definitions').charsPerToken;
  }

  /** Whether the model has counted at least once. */
  get proven(): boolean {
    return this.#counts === 'yes';
  }

  /** Estimates the tokens of `chars` characters by the ratio of earlier counts. */
  estimate(chars: number, kind: CountedKind = 'definitions'): Tokens {
    return chars === 0 ? ZERO : { value: Math.ceil(chars / this.#of(kind).charsPerToken), certainty: 'estimated' };
  }

  /** Returns the model's count of a text if it is known already, or an estimate. */
  known(kind: CountedKind, text: string): Tokens {
    const value = this.#remembered(kind, text);
    return value === undefined ? this.estimate(text.length, kind) : { value, certainty: this.#certainty };
  }

  /** Returns the model's count of a text, or an estimate if the model can't be asked. */
  async count(kind: CountedKind, text: string, ask: AskCount, signal: AbortSignal): Promise<Tokens> {
    if (text.length === 0) return ZERO;
    const value = this.#remembered(kind, text) ?? (await this.#shared(kind, text, ask, signal));
    return value === undefined ? this.estimate(text.length, kind) : { value, certainty: this.#certainty };
  }

  /** Counts for a caller that asks often. Long texts are counted by the model, all others are estimated. */
  async countForCaller(text: string, ask: AskCount, signal: AbortSignal): Promise<number> {
    const { running } = this.#of('history');
    const worth = text.length >= CALLER_CHARS && (running.has(text) || running.size < MAX_RUNNING);
    return (worth ? await this.count('history', text, ask, signal) : this.estimate(text.length, 'history')).value;
  }

  /** Asks for a count without remembering it. Returns undefined if the model can't be asked. */
  async countOnce(ask: AskCount, signal: AbortSignal): Promise<number | undefined> {
    if (signal.aborted || !this.#asks) return undefined;
    return this.#waitFor(this.#start(ask), signal);
  }

  #remembered(kind: CountedKind, text: string): number | undefined {
    const { known } = this.#of(kind);
    const key = longHash(text);
    const value = known.get(key);
    if (value !== undefined) setLatest(known, key, value, MAX_KNOWN);
    return value;
  }

  get #asks(): boolean {
    return this.#counts !== 'no' && this.#now() >= this.#restUntil;
  }

  /** Returns a count that is shared by all callers that need the same text at the same time. */
  async #shared(kind: CountedKind, text: string, ask: AskCount, signal: AbortSignal): Promise<number | undefined> {
    if (signal.aborted) return undefined;
    const ofKind = this.#of(kind).running;
    let running = ofKind.get(text);
    if (!running) {
      if (!this.#asks) return undefined;
      const started = this.#start(ask);
      running = started;
      ofKind.set(text, started);
      void started.value.then((value) => {
        if (value !== undefined) this.#learn(kind, text, value);
        if (ofKind.get(text) === started) ofKind.delete(text);
      });
    }
    const value = await this.#waitFor(running, signal);
    if (running.waiting === 0 && ofKind.get(text) === running) ofKind.delete(text);
    return value;
  }

  #start(ask: AskCount): Running {
    const controller = new AbortController();
    const value = this.#ask(ask, controller.signal);
    return { value, abort: () => controller.abort(), since: this.#now(), waiting: 0 };
  }

  async #ask(ask: AskCount, signal: AbortSignal): Promise<number | undefined> {
    try {
      const value = await ask(signal);
      if (Number.isFinite(value) && value > 0) {
        this.#counts = 'yes';
        return value;
      }
      // A count of 0 for a text that isn't empty shows that the model can't count.
      this.#counts = 'no';
    } catch (error) {
      if (error instanceof CountRefused) this.#counts = 'no';
      else if (!signal.aborted) this.#rest();
    }
    return undefined;
  }

  /** Waits until the count is there or the caller cancels. When the last caller cancels, the count stops. */
  async #waitFor(running: Running, signal: AbortSignal): Promise<number | undefined> {
    running.waiting++;
    try {
      return await untilAborted(running.value, signal);
    } catch {
      return undefined;
    } finally {
      running.waiting--;
      if (signal.aborted && running.waiting === 0) {
        if (this.#now() - running.since >= SLOW_MS) this.#rest();
        running.abort();
      }
    }
  }

  #rest(): void {
    this.#restUntil = this.#now() + REST_MS;
  }

  #learn(kind: CountedKind, text: string, value: number): void {
    const ofKind = this.#of(kind);
    if (text.length >= CALIBRATION_CHARS) ofKind.charsPerToken = text.length / value;
    setLatest(ofKind.known, longHash(text), value, MAX_KNOWN);
  }
}

/** The token counters of all models, shared by all callers. A model has one counter for each way to reach it. */
export class TokenCounters {
  readonly #counters = new Map<string, TokenCounter>();

  of({ vendor, id, access, estimates }: Pick<ModelInfo, 'vendor' | 'id' | 'access' | 'estimates'>): TokenCounter {
    const key = JSON.stringify([vendor, id, access, estimates]);
    const counter = this.#counters.get(key) ?? new TokenCounter(undefined, estimates ? 'estimated' : 'measured');
    this.#counters.set(key, counter);
    return counter;
  }
}
