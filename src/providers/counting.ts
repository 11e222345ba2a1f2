import { CountRefused } from '../core/ports';
import type { Service } from '../core/settings/modelServices';
import { untilAborted } from '../core/util/signals';
import { type ErrorContext, explainError, failureOf } from './failures';

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

/** Returns the error of a failed count, with a message for the user. */
export function countFailure(error: unknown, asked: ErrorContext, service: Service): Error {
  const status = failureOf(error)?.status;
  const explained = explainError(error, asked, service);
  return status !== undefined && FOR_GOOD.has(status) ? new CountRefused(explained.message) : explained;
}
