import type { Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import type { TurnFacts } from './turnFacts';
import type { PinFigures } from './types';

/**
 * What it would have come to had a tool been eager in these turns, by what was counted in them:
 *
 * - cost: its definition, in each round that went without it (before its discovery, or all of a turn without one);
 * - saved: the growth of the search overhead from the round in which it was searched for to the next, that is the search's
 *   call and its result, in each of the rounds after, where they stayed in the conversation. Only searches count of whose
 *   hits nothing else was called, and their share of the growth where others ran in the same round.
 *
 * Model calls that did nothing but search for it are counted and not priced: what they would have cost depends on the cache.
 */
export function pinFigures(tool: string, definition: Tokens, turns: readonly TurnFacts[]): PinFigures {
  let found = 0;
  let cost = 0;
  let saved = 0;
  let calls = 0;
  for (const turn of turns) {
    if (isFoundIn(turn, tool)) found++;
    cost += definition.value * (turn.rounds.length - roundsWith(turn, tool));
    const spared = sparedIn(turn, tool);
    saved += spared.tokens;
    calls += spared.calls;
  }
  const mean = (sum: number): Tokens => ({
    value: Math.round(sum / Math.max(1, turns.length)),
    certainty: 'estimated',
  });
  return {
    turns: found,
    of: turns.length,
    definition,
    cost: mean(cost),
    saved: mean(saved),
    net: mean(saved - cost),
    calls,
  };
}

/** Whether the model had to search for the tool in this turn: it was discovered, or found again and called. */
export function isFoundIn(turn: TurnFacts, tool: string): boolean {
  return (
    turn.discovered.has(tool) ||
    (turn.searches.some(({ hits }) => hits.includes(tool)) && turn.calls.some((call) => call.tool === tool))
  );
}

/** Rounds whose request held the definition. A bridge's never does; a tool that is called without a search was there before. */
function roundsWith(turn: TurnFacts, tool: string): number {
  if (turn.delivery === 'bridge') return 0;
  const discovered = turn.discovered.get(tool);
  if (discovered !== undefined) return turn.rounds.filter(({ round }) => round > discovered).length;
  return turn.calls.some((call) => call.tool === tool) ? turn.rounds.length : 0;
}

/** Searches that only this tool was used of: their tokens over the turn, and rounds with nothing else in them. */
function sparedIn(turn: TurnFacts, tool: string): { readonly tokens: number; readonly calls: number } {
  const called = new Set(turn.calls.map((call) => call.tool));
  let tokens = 0;
  let calls = 0;
  turn.rounds.forEach(({ round, overhead }, index) => {
    const next = turn.rounds[index + 1];
    if (!next) return;
    // A call may carry several queries; it is spared only whole.
    const searches = groupBy(
      turn.searches.filter((search) => search.round === round),
      (search) => search.callId,
    );
    const spared = [...searches.values()].filter((queries) => {
      const used = new Set(queries.flatMap(({ hits }) => hits).filter((id) => called.has(id)));
      return used.size === 1 && used.has(tool);
    }).length;
    if (spared === 0) return;
    const growth = Math.max(0, next.overhead.value - overhead.value);
    tokens += (growth * spared * (turn.rounds.length - index - 1)) / searches.size;
    if (spared === searches.size && turn.calls.every((call) => call.round !== round)) calls++;
  });
  return { tokens, calls };
}
