import { CountRefused } from '../core/ports';
import { untilAborted } from '../core/util/signals';

/**
 * Counts that many others need, such as the part that every count of a model contains. Each is requested once, with its
 * own signal: a caller who cancels stops waiting without affecting the others. A failed count is requested again.
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
 * Statuses after which another attempt is useless: the service doesn't count, or not with this key, or not this kind of
 * request.
 */
const FOR_GOOD = new Set([400, 403, 404, 405]);

/** Returns the error of a failed count. `explained` has the words, `status` is the status of the service's answer. */
export function countFailure(status: number | undefined, explained: Error): Error {
  return status !== undefined && FOR_GOOD.has(status) ? new CountRefused(explained.message) : explained;
}
