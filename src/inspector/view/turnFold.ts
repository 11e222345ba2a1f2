import type { LedgerEvent } from '../../core/ledger/ledger';
import { type TurnFigures, turnFigures } from '../../core/ledger/turnFigures';
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
  figures?: TurnFigures;
  view?: TurnView;
  timeline?: readonly EventView[];
}

/** The number of turns that are computed in one step, which takes a few milliseconds. */
const TURNS_PER_STEP = 50;

/** Computes the views of a session's turns. The view of a turn without new events remains the same object. */
export class TurnFold {
  readonly #turns = new Map<number, FoldedTurn>();
  /** The other inputs that the views depend on. */
  #basis: readonly unknown[] = [];

  /** Reads an event. Events must come in the ledger's order. */
  read(event: LedgerEvent): void {
    const events = this.#turns.get(event.turn)?.events ?? [];
    events.push(event);
    // A new object, without what was computed from the earlier events.
    this.#turns.set(event.turn, { events });
  }

  /** Returns the figures of all turns, oldest first. */
  figures(): readonly TurnFigures[] {
    return [...this.#turns.values()].flatMap((turn) => figuresOf(turn) ?? []);
  }

  /** Computes the turns in steps, so that the caller can yield to the event loop. */
  *prepare(inputs: ViewInputs, text: Text): Generator<undefined> {
    this.#renew(inputs);
    let folded = 0;
    for (const turn of this.#turns.values()) {
      viewOf(turn, inputs, text);
      if (++folded % TURNS_PER_STEP === 0) yield undefined;
    }
  }

  /** Returns all turns, newest first, with the timelines of the {@link Watched} ones. */
  views(inputs: ViewInputs, text: Text, watched: Watched): readonly TurnView[] {
    this.#renew(inputs);
    const views: TurnView[] = [];
    for (const [number, turn] of [...this.#turns].sort(([a], [b]) => b - a)) {
      const view = viewOf(turn, inputs, text);
      if (!view) continue;
      const isWatched = watched === 'all' || (this.#turns.has(watched ?? 0) ? number === watched : views.length === 0);
      const events = isWatched ? timelineOf(turn, inputs, text) : undefined;
      if (view.events !== events) turn.view = { ...view, events };
      views.push(turn.view ?? view);
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

function figuresOf(turn: FoldedTurn): TurnFigures | undefined {
  turn.figures ??= turnFigures(turn.events);
  return turn.figures;
}

function viewOf(turn: FoldedTurn, inputs: ViewInputs, text: Text): TurnView | undefined {
  const figures = figuresOf(turn);
  if (figures) turn.view ??= turnView(figures, inputs, text);
  return turn.view;
}

function timelineOf(turn: FoldedTurn, inputs: ViewInputs, text: Text): readonly EventView[] | undefined {
  const figures = figuresOf(turn);
  if (figures) turn.timeline ??= eventViews(figures, inputs, text);
  return turn.timeline;
}
