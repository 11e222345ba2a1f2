import type { ToolList } from './listAllTools';

/** How long a server's list holds, by the server's own word. Times are as `Date.now()` counts. */
export abstract class Freshness {
  /** Undefined if the server doesn't say. */
  #until: number | undefined;
  #isPublic = false;

  /** Whether the list is still within the time (`ttlMs`) that the server gave it. A start then needs no new list. */
  isFresh(now: number): boolean {
    return this.#until !== undefined && now < this.#until;
  }

  /** Whether the server has said how long its list holds, and that time is over. */
  isStale(now: number): boolean {
    return this.#until !== undefined && now >= this.#until;
  }

  /** Ends the freshness of a list that holds for one user alone: another may sign in. */
  userChanges(): void {
    if (!this.#isPublic) this.#until = undefined;
  }

  /** Keeps what a list says of itself. `now` is when the list was asked for. */
  protected keep({ ttlMs, isPublic }: Pick<ToolList, 'ttlMs' | 'isPublic'>, now: number): void {
    this.#until = ttlMs > 0 ? now + ttlMs : undefined;
    this.#isPublic = isPublic;
  }

  /** The server reported a change. */
  protected end(): void {
    this.#until = undefined;
  }
}
