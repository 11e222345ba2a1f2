// Computes the views of turns, and repeats that only for turns with new events.

import { asRun } from '../../core/ledger/asRun';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { ViewInputs } from '../protocol/inputs';
import type { EventView, TurnView } from '../protocol/view';
import type { Text } from '../text/text';
import { eventViews } from './eventViews';
import { turnView } from './turnView';

/**
 * The turns whose timelines are included: all, or one turn. If it is undefined or doesn't exist, the newest is used.
 */
export type Watched = 'all' | number | undefined;

interface FoldedTurn {
  readonly events: LedgerEvent[];
  view?: TurnView;
  timeline?: readonly EventView[];
}

/** The number of turns that are computed in one step, which takes a few milliseconds. */
const TURNS_PER_STEP = 50;

/** Computes the views of a session's turns. A turn without a new event remains the same object. */
export class TurnFold {
  readonly #turns = new Map<number, FoldedTurn>();
  /** The other inputs that the views depend on. */
  #basis: readonly unknown[] = [];

  /** Reads an event. Events must come in the ledger's order. */
  read(event: LedgerEvent): void {
    const turn = this.#turns.get(event.turn);
    if (!turn) {
      this.#turns.set(event.turn, { events: [event] });
      return;
    }
    turn.events.push(event);
    turn.view = undefined;
    turn.timeline = undefined;
  }

  /** Computes the turns in steps, so that the caller can yield to the event loop. */
  *prepare(inputs: ViewInputs, text: Text): Generator<undefined> {
    this.#renew(inputs);
    let folded = 0;
    for (const [number, turn] of this.#turns) {
      turn.view ??= turnView(number, asRun(turn.events), inputs, text);
      if (++folded % TURNS_PER_STEP === 0) yield undefined;
    }
  }

  /** Returns all turns, newest first, with the timelines of the {@link Watched} ones. */
  views(inputs: ViewInputs, text: Text, watched: Watched): readonly TurnView[] {
    this.#renew(inputs);
    const views: TurnView[] = [];
    for (const [number, turn] of [...this.#turns].sort(([a], [b]) => b - a)) {
      // The duration of a running turn changes without an event.
      if (!turn.view || turn.view.running) turn.view = turnView(number, asRun(turn.events), inputs, text);
      if (!turn.view) continue;
      const isWatched = watched === 'all' || (this.#turns.has(watched ?? 0) ? number === watched : views.length === 0);
      const events = isWatched ? timelineOf(turn, inputs, text) : undefined;
      if (turn.view.events !== events) turn.view = { ...turn.view, events };
      views.push(turn.view);
    }
    return views;
  }

  /** Discards all views if an input other than their events has changed. */
  #renew({ catalog, pins, strings, locale }: ViewInputs): void {
    const basis = [catalog, pins, strings, locale];
    if (basis.some((part, index) => part !== this.#basis[index])) {
      for (const turn of this.#turns.values()) {
        turn.view = undefined;
        turn.timeline = undefined;
      }
    }
    this.#basis = basis;
  }
}

function timelineOf(turn: FoldedTurn, inputs: ViewInputs, text: Text): readonly EventView[] {
  const start = turn.events.find((event) => event.type === 'turnStarted');
  turn.timeline ??= eventViews(asRun(turn.events), start?.at ?? 0, inputs, text);
  return turn.timeline;
}
