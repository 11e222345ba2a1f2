/** The session's record in memory. It also ends the turns that a reload of the window cut off. */

import { splitId } from '../catalog/tool';
import type { RedactIn } from '../util/knownSecrets';
import { l10n } from '../util/l10n';
import { Listeners } from '../util/listeners';
import { boundedEntry, eventsOf, type LedgerEntry, type LedgerEvent } from './events';
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
      this.#append(
        { type: 'turnEnded', status: 'cancelled', ms: at - started.at, message: l10n.t('The window was reloaded.') },
        at,
        turn,
      );
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

/** Returns events that end the open calls of a turn that a reload cut off. */
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
        // A retry shows the model this text.
        summary: 'The window was reloaded. The call may have run.',
        resultBytes: 0,
        withoutDiscovery: false,
        retry: 0,
        ms: (turn.at(-1)?.at ?? at) - at,
      },
    ];
  });
}

/** Returns events that end the open scripts of a turn that a reload cut off, with the figures recorded so far. */
function endsOfScripts(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'scriptStarted') return [];
    const { round, callId } = started;
    if (turn.some((event) => event.type === 'scriptEnded' && event.callId === callId && event.round === round))
      return [];
    const calls = eventsOf(turn, 'called').filter((event) => event.script === callId && event.round === round);
    return [
      {
        type: 'scriptEnded',
        round,
        callId,
        outcome: 'cancelled',
        ms: (turn.at(-1)?.at ?? started.at) - started.at,
        computeMs: 0,
        calls: calls.length,
        failed: calls.filter(({ outcome }) => outcome !== 'ok').length,
        servers: [...new Set(calls.map(({ tool }) => splitId(tool)?.server ?? ''))],
        returnedChars: 0,
        countedChars: 0,
        outputChars: 0,
        output: '',
        note: l10n.t('The window was reloaded.'),
      },
    ];
  });
}
