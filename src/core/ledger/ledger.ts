/** The record of a session: everything that the inspector shows is folded from it. */
import { splitId } from '../catalog/tool';
import type { RedactIn } from '../util/knownSecrets';
import { boundedEntry, eventsOf, type LedgerEntry, type LedgerEvent } from './events';
import { Exchanges } from './exchanges';

export type { LedgerEntry, LedgerEvent, LoggedHit, TurnStatus } from './events';

/** Records what happened in a turn; `at` where that was earlier, in milliseconds since the epoch. */
export type RecordEntry = (entry: LedgerEntry, at?: number) => void;

/** How a turn ended that a reload of the window cut off. */
const RELOADED = 'The window was reloaded.';

/** The append-only record of a session: everything the inspector shows is folded from it. */
export class Ledger {
  readonly #events: LedgerEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #redactIn: RedactIn;
  #turns = 0;
  /** The newest requests and replies, in memory only. */
  readonly exchanges = new Exchanges();

  /** @param redactIn takes secrets out of what is recorded: it is shown, kept in a file and exported */
  constructor(redactIn: RedactIn = (entry) => entry) {
    this.#redactIn = redactIn;
  }

  /** Takes in the events of before a reload; called before the first turn. A turn that the reload cut off ends as cancelled. */
  restore(events: readonly LedgerEvent[]): void {
    const open = new Map<number, LedgerEvent>();
    for (const event of events) {
      this.#events.push(event);
      this.#turns = Math.max(this.#turns, event.turn);
      if (event.type === 'turnStarted') open.set(event.turn, event);
      if (event.type === 'turnEnded') open.delete(event.turn);
    }
    for (const [turn, started] of open) {
      const told = this.#events.filter((event) => event.turn === turn);
      const { at } = told.at(-1) ?? started;
      for (const end of endsOfCalls(told)) this.#append(end, at, turn);
      const ended = this.#events.filter((event) => event.turn === turn);
      for (const end of endsOfScripts(ended)) this.#append(end, at, turn);
      this.#append({ type: 'turnEnded', status: 'cancelled', ms: at - started.at, message: RELOADED }, at, turn);
    }
    for (const listener of this.#listeners) listener();
  }

  get events(): readonly LedgerEvent[] {
    return this.#events;
  }

  /** Whether a turn of this session has already told that. */
  warned(message: string): boolean {
    const told = boundedEntry({ message: this.#redactIn(message) });
    return this.#events.some((event) => event.type === 'warned' && event.message === told.message);
  }

  /** Opens a turn: its number, and what records into it. Turns of several chats may overlap. */
  startTurn(now: () => number): { readonly turn: number; readonly record: RecordEntry } {
    const turn = ++this.#turns;
    const record: RecordEntry = (entry, at = now()) => {
      this.#append(boundedEntry(this.#redactIn(entry)), at, turn);
      for (const listener of this.#listeners) listener();
    };
    return { turn, record };
  }

  /** Records what the user thinks of a turn that has ended; one that isn't known any more is none of this session. */
  rate(turn: number, helpful: boolean, at: number): void {
    if (!this.#events.some((event) => event.turn === turn)) return;
    this.#append({ type: 'rated', helpful }, at, turn);
    for (const listener of this.#listeners) listener();
  }

  #append(entry: LedgerEntry, at: number, turn: number): void {
    this.#events.push({ ...entry, seq: (this.#events.at(-1)?.seq ?? 0) + 1, at, turn });
  }

  /** Calls `listener` after each change; returns what stops that. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What ends the calls of a turn that a reload cut off. */
function endsOfCalls(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'callStarted') return [];
    const { type: _, seq: _seq, at, turn: _turn, ...call } = started;
    if (turn.some((event) => event.type === 'called' && event.callId === call.callId && event.round === call.round))
      return [];
    return [
      {
        type: 'called',
        ...call,
        known: true,
        outcome: 'cancelled',
        summary: `${RELOADED} The call may have run.`,
        resultBytes: 0,
        withoutDiscovery: false,
        retry: 0,
        ms: Math.max(0, (turn.at(-1)?.at ?? at) - at),
      },
    ];
  });
}

/** What ends the scripts of a turn that a reload cut off, with what of them had been told. */
function endsOfScripts(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'scriptStarted') return [];
    const { round, callId } = started;
    if (turn.some((event) => event.type === 'scriptEnded' && event.callId === callId && event.round === round))
      return [];
    const calls = eventsOf(turn, 'called').filter((event) => event.script === callId);
    return [
      {
        type: 'scriptEnded',
        round,
        callId,
        outcome: 'cancelled',
        ms: Math.max(0, (turn.at(-1)?.at ?? started.at) - started.at),
        computeMs: 0,
        calls: calls.length,
        failed: calls.filter(({ outcome }) => outcome !== 'ok').length,
        servers: [...new Set(calls.map(({ tool }) => splitId(tool)?.server ?? ''))],
        returnedChars: 0,
        countedChars: 0,
        outputChars: 0,
        output: '',
        note: RELOADED,
      },
    ];
  });
}
