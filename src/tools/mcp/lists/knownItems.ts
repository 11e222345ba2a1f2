import type { UnnamedTool } from '../../../core/catalog/tool';
import { messageOf } from '../../../core/util/messageOf';
import { backgroundTimer } from '../../../core/util/timers';
import type { Connection } from '../connection/connection';
import { Freshness } from './freshness';

/** The minimum time between two lists. Some servers report changes all the time. */
const PAUSE_MS = 1_000;

interface ItemEvents {
  changed(): void;
  log(server: string, line: string): void;
  now(): number;
}

/**
 * A server's resources and prompts, from this session or the cache. They are requested after the tools, and nothing
 * waits for them. If the request fails, the server is used without them.
 */
export class KnownItems extends Freshness {
  readonly #server: string;
  readonly #events: ItemEvents;
  #items: readonly UnnamedTool[];
  #reading: Promise<void> | undefined;
  #isOutdated = false;
  #again: (() => void) | undefined;

  constructor(server: string, cached: readonly UnnamedTool[], events: ItemEvents) {
    super();
    this.#server = server;
    this.#items = cached;
    this.#events = events;
  }

  get items(): readonly UnnamedTool[] {
    return this.#items;
  }

  /** Resolves when no list is being read. Never rejects. */
  get reading(): Promise<void> {
    return this.#reading ?? Promise.resolve();
  }

  /** Requests the list unless the current one is still valid. */
  read(connection: Connection): void {
    if (this.#reading || this.isFresh(this.#events.now())) return;
    this.#reading = this.#read(connection).then(() => {
      this.#reading = undefined;
      if (this.#isOutdated) this.outdate(connection);
    });
  }

  async #read(connection: Connection): Promise<void> {
    const now = this.#events.now();
    this.#isOutdated = false;
    try {
      const { entries, problems, ...list } = await connection.listItems();
      // Bundled as a separate file: see esbuild.mjs.
      const { readItems } = await import('./serverItems');
      this.#items = readItems(this.#server, entries);
      this.keep(list, now);
      for (const problem of problems) this.#events.log(this.#server, problem);
      this.#events.changed();
    } catch (error) {
      this.#events.log(this.#server, messageOf(error));
    }
  }

  /** Called when the server reports a change. The list is requested again after a pause. */
  outdate(connection: Connection): void {
    this.end();
    this.#isOutdated = true;
    if (this.#again) return;
    this.#again = backgroundTimer(() => {
      this.#again = undefined;
      this.read(connection);
    }, PAUSE_MS);
  }

  /** Called when the server stops. Cancels the next list. */
  stop(): void {
    this.#again?.();
    this.#again = undefined;
    this.#isOutdated = false;
  }
}
