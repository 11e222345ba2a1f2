import type { RedactIn } from '../util/knownSecrets';
import { Listeners } from '../util/listeners';
import { boundedEntry } from './bounds';
import { endsAfterReload } from './endsAfterReload';
import type { LedgerEntry, LedgerEvent } from './events';
import { Exchanges } from './exchanges';

export type { LedgerEntry, LedgerEvent, LoggedHit, TurnStatus } from './events';

/** Records an event of a turn. `at` is the event's time in milliseconds since the epoch, if it isn't now. */
export type RecordEntry = (entry: LedgerEntry, at?: number) => void;

/** The append-only record of a session. Everything that the inspector shows is derived from it. */
export class Ledger {
  readonly #events: LedgerEvent[] = [];
  readonly #changed = new Listeners<void>();
  readonly #redactIn: RedactIn;
  #turns = 0;
  readonly exchanges = new Exchanges();

  /** @param redactIn removes secrets from all that is recorded: the ledger is shown, stored in a file and exported */
  constructor(redactIn: RedactIn = (entry) => entry) {
    this.#redactIn = redactIn;
  }

  /** Adds the events of the session before a reload. Called before the first turn. Turns cut off end as cancelled. */
  restore(events: readonly LedgerEvent[]): void {
    const open = new Set<number>();
    for (const event of events) {
      this.#events.push(event);
      this.#turns = Math.max(this.#turns, event.turn);
      if (event.type === 'turnStarted') open.add(event.turn);
      if (event.type === 'turnEnded') open.delete(event.turn);
    }
    for (const turn of open) {
      const told = events.filter((event) => event.turn === turn);
      for (const end of endsAfterReload(told)) this.#append(end, told.at(-1)?.at ?? 0, turn);
    }
    this.#changed.tell();
  }

  get events(): readonly LedgerEvent[] {
    return this.#events;
  }

  /** Whether a turn of this session has already shown this warning. */
  warned(message: string): boolean {
    const told = boundedEntry({ message: this.#redactIn(message) });
    return this.#events.some((event) => event.type === 'warned' && event.message === told.message);
  }

  /** Begins a turn: returns its number and a function that records its events. Turns of several chats may overlap. */
  startTurn(now: () => number): { readonly turn: number; readonly record: RecordEntry } {
    const turn = ++this.#turns;
    const record: RecordEntry = (entry, at = now()) => {
      this.#append(boundedEntry(this.#redactIn(entry)), at, turn);
      this.#changed.tell();
    };
    return { turn, record };
  }

  #append(entry: LedgerEntry, at: number, turn: number): void {
    // The computer's clock may be set back meanwhile.
    const ms = 'ms' in entry ? { ms: Math.max(0, entry.ms) } : {};
    this.#events.push({ ...entry, ...ms, seq: (this.#events.at(-1)?.seq ?? 0) + 1, at, turn });
  }

  /** Calls `listener` after each change. Returns a function that stops the calls. */
  onDidChange(listener: () => void): () => void {
    return this.#changed.add(listener);
  }
}
