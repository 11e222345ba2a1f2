import type { UnnamedTool } from '../../core/catalog/tool';
import { messageOf } from '../../core/util/messageOf';
import { backgroundTimer } from '../../core/util/signals';
import type { Connection } from './connection';
import { Freshness } from './freshness';

/** The shortest time between two lists of a server that reports changes again and again, in milliseconds. */
const PAUSE_MS = 1_000;

/** The server's log and clock, and what hears of a change. */
interface ItemEvents {
  changed(): void;
  log(line: string): void;
  now(): number;
}

/**
 * A server's resources and prompts as they are known: from the last session, or from this one. They are listed after
 * its tools. Nothing waits for them, and a server that fails to list them is used without.
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

  /** Resolves once no list is being read. Never rejects. */
  get reading(): Promise<void> {
    return this.#reading ?? Promise.resolve();
  }

  /** Lists them, unless the last list still holds. */
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
      // A file of its own in the package: see esbuild.mjs.
      const { readItems } = await import('./serverItems');
      this.#items = readItems(this.#server, entries);
      this.keep(list, now);
      for (const problem of problems) this.#events.log(problem);
      this.#events.changed();
    } catch (error) {
      this.#events.log(messageOf(error));
    }
  }

  /** The server reported that they changed. */
  outdate(connection: Connection): void {
    this.end();
    this.#isOutdated = true;
    if (this.#reading || this.#again) return;
    this.#again = backgroundTimer(() => {
      this.#again = undefined;
      this.read(connection);
    }, PAUSE_MS);
  }

  /** Ends what waits: the server has stopped. */
  stop(): void {
    this.#again?.();
    this.#again = undefined;
    this.#isOutdated = false;
  }
}
