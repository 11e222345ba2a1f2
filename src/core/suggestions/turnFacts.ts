import { type EventType, eventsOf, type LedgerEvent } from '../ledger/events';
import { turnFigures } from '../ledger/turnFigures';
import type { Tokens } from '../usage/types';

// The facts about the last turns on which suggestions are based, read from the ledger.

/** The number of turns on which suggestions are based. Habits change, and older turns say little about tomorrow. */
export const WINDOW = 20;

export interface TurnFacts {
  readonly turn: number;
  readonly delivery: string;
  /** The rounds in order. `overhead`: of searching. `onlySearched`: the tokens of a request that only searched. */
  readonly rounds: readonly { readonly round: number; readonly overhead: Tokens; readonly onlySearched?: Tokens }[];
  readonly searches: readonly {
    readonly round: number;
    readonly callId: string;
    readonly hits: readonly string[];
  }[];
  /** Ids of the called tools with their rounds, in the order of the calls. */
  readonly calls: readonly { readonly tool: string; readonly round: number }[];
  /** The round in which each tool was discovered. */
  readonly discovered: ReadonlyMap<string, number>;
}

/** Returns the last finished turns that called a model, oldest first. */
export function lastTurns(events: readonly LedgerEvent[]): readonly TurnFacts[] {
  const byTurn = new Map<number, LedgerEvent[]>();
  const over = new Set<number>();
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index] as LedgerEvent;
    if (event.type === 'turnEnded') over.add(event.turn);
    const known = byTurn.get(event.turn);
    if (known) known.push(event);
    else byTurn.set(event.turn, [event]);
    // Turns may overlap, so a few more turns are read than needed.
    if (byTurn.size > WINDOW + 5) break;
  }
  const facts = [...byTurn]
    .sort(([a], [b]) => b - a)
    .flatMap(([turn, own]) => (over.has(turn) ? factsOf(turn, own.reverse()) : []));
  return facts.slice(0, WINDOW).reverse();
}

/** Returns the tools that any agent has called since the first of these turns, even without a model of ours. */
export function calledSince(events: readonly LedgerEvent[], turns: readonly TurnFacts[]): ReadonlySet<string> {
  const called = new Set<string>();
  const first = turns[0]?.turn;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index] as LedgerEvent;
    if (event.type === 'called') called.add(event.tool);
    if (event.type === 'turnStarted' && event.turn === first) break;
  }
  return called;
}

function factsOf(turn: number, recorded: readonly LedgerEvent[]): TurnFacts[] {
  const figures = turnFigures(recorded);
  if (!figures || figures.rounds.length === 0) return [];
  const { events, started, rounds } = figures;
  const of = <Type extends EventType>(type: Type) => eventsOf(events, type);
  return [
    {
      turn,
      delivery: started.delivery.name,
      rounds: rounds.map(({ round, tokens }) => ({
        round,
        overhead: tokens.usualOverhead ?? tokens.searchOverhead,
        ...(tokens.usualOverhead ? { onlySearched: tokens.sent } : {}),
      })),
      searches: of('searched').map(({ round, callId, hits }) => ({
        round,
        callId,
        hits: hits.map(({ id }) => id),
      })),
      calls: of('called').map(({ tool, round }) => ({ tool, round })),
      discovered: new Map(of('discovered').flatMap(({ round, ids: found }) => found.map((id) => [id, round] as const))),
    },
  ];
}
