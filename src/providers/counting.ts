import { CountRefused } from '../core/ports';
import { untilAborted } from '../core/util/signals';

/**
 * Caches counts that many callers need. Each count is requested once, with a signal of its own: a caller that cancels
 * doesn't affect the others. A failed count is requested again.
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

/**
 * Statuses after which a retry is useless: the service can't count at all, not with this key, or not this kind of
 * request.
 */
const FOR_GOOD = new Set([400, 403, 404, 405]);

/**
 * Returns the error of a failed count.
 * @param status the status of the service's answer; undefined if there was none
 * @param explained the error with the message for the user
 */
export function countFailure(status: number | undefined, explained: Error): Error {
  return status !== undefined && FOR_GOOD.has(status) ? new CountRefused(explained.message) : explained;
}
