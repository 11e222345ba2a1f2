import type { ServerList } from '../connection/listAll';

/** Tracks how long a server's list is valid, if the server specifies that. Times are those of `Date.now()`. */
export abstract class Freshness {
  /** The end of the validity; undefined if the server specifies none. */
  #until: number | undefined;
  #isPublic = false;

  /** Whether the list is still valid (`ttlMs`). If so, a start doesn't request it again. */
  isFresh(now: number): boolean {
    return this.#until !== undefined && now < this.#until;
  }

  /** Whether the server specified a validity that has expired. */
  isStale(now: number): boolean {
    return this.#until !== undefined && now >= this.#until;
  }

  /** Called when another user may sign in: a list that is valid for one user only expires. */
  userChanges(): void {
    if (!this.#isPublic) this.#until = undefined;
  }

  /** Stores the validity of a new list. `now` is the time of the request. */
  protected keep({ ttlMs, isPublic }: Pick<ServerList, 'ttlMs' | 'isPublic'>, now: number): void {
    this.#until = ttlMs > 0 ? now + ttlMs : undefined;
    this.#isPublic = isPublic;
  }

  /** Called when the server reports a change: the list expires. */
  protected end(): void {
    this.#until = undefined;
  }
}
