import { CountRefused } from '../core/ports';
import { untilAborted } from '../core/util/signals';

/**
 * Counts that many others need: what any count of a model holds. Asked once, whoever asks first, and by a signal of its
 * own: one who cancels stops waiting and takes nothing from the others. One that failed is asked again.
 */
export class SharedCounts {
  readonly #known = new Map<string, Promise<number>>();

  get(key: string, count: (signal: AbortSignal) => Promise<number>, signal: AbortSignal): Promise<number> {
    let shared = this.#known.get(key);
    if (!shared) {
      shared = count(new AbortController().signal);
      this.#known.set(key, shared);
      shared.catch(() => this.#known.delete(key));
    }
    return untilAborted(shared, signal);
  }
}

/** Answers after which asking for a count again is of no use: the service doesn't count, not for this key or not such a thing. */
const FOR_GOOD = new Set([400, 403, 404, 405]);

/** What a failed count is rejected with. `explained` has the words, `status` is what the service answered with. */
export function countFailure(status: number | undefined, explained: Error): Error {
  return status !== undefined && FOR_GOOD.has(status) ? new CountRefused(explained.message) : explained;
}
