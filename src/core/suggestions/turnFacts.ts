import { type EventType, eventsOf, type LedgerEvent } from '../ledger/events';
import { turnFigures } from '../ledger/turnFigures';
import type { Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';

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
  const newest = events.findLast(({ type }) => type === 'turnStarted')?.turn ?? 0;
  // A few more turns are read than needed, since some are still running or called no model.
  const recent = groupBy(
    events.filter(({ turn }) => turn > newest - WINDOW - 5),
    ({ turn }) => turn,
  );
  return [...recent]
    .sort(([a], [b]) => a - b)
    .flatMap(([turn, own]) => factsOf(turn, own))
    .slice(-WINDOW);
}

/** Returns the tools that any agent has called since the first of these turns, even without a model of ours. */
export function calledSince(events: readonly LedgerEvent[], turns: readonly TurnFacts[]): ReadonlySet<string> {
  const first = events.findLastIndex(({ type, turn }) => type === 'turnStarted' && turn === turns[0]?.turn);
  return new Set(eventsOf(events.slice(Math.max(0, first)), 'called').map(({ tool }) => tool));
}

function factsOf(turn: number, recorded: readonly LedgerEvent[]): TurnFacts[] {
  const figures = turnFigures(recorded);
  if (!figures?.ended || figures.rounds.length === 0) return [];
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
      searches: of('searched').map(({ round, callId, hits }) => ({ round, callId, hits: hits.map(({ id }) => id) })),
      calls: of('called').map(({ tool, round }) => ({ tool, round })),
      discovered: new Map(of('discovered').flatMap(({ round, ids: found }) => found.map((id) => [id, round] as const))),
    },
  ];
}
