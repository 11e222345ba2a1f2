import type { Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import type { TurnFacts } from './turnFacts';
import type { PinFigures } from './types';

// Computes the tokens that pinning a tool would have cost and saved.

/**
 * Returns the tokens that making a tool eager in these turns would have cost and saved, from the counts of rounds:
 * - cost: its definition in each round without it (before its discovery, or in all rounds of a turn without one);
 * - saved: the requests that only searched for the tool. Also, in each later round, the search's call and result,
 * measured as the growth of the search overhead from the round of the search to the next. A search counts only if no
 * other tool among its hits was called, and with its share of the growth if others ran in the same round.
 */
export function pinFigures(tool: string, definition: Tokens, turns: readonly TurnFacts[]): PinFigures {
  let found = 0;
  let cost = 0;
  let saved = 0;
  let calls = 0;
  for (const turn of turns) {
    if (isFoundIn(turn, tool)) found++;
    const spared = sparedIn(turn, tool);
    cost += definition.value * (turn.rounds.length - roundsWith(turn, tool) - spared.requests);
    saved += spared.tokens;
    calls += spared.calls;
  }
  const estimated = (value: number): Tokens => ({ value, certainty: 'estimated' });
  const mean = (sum: number) => Math.round(sum / Math.max(1, turns.length));
  return {
    turns: found,
    of: turns.length,
    definition,
    cost: estimated(mean(cost)),
    saved: estimated(mean(saved)),
    // The difference of the rounded figures, since people check the calculation that is shown.
    net: estimated(mean(saved) - mean(cost)),
    calls,
  };
}

/** Whether the model searched for the tool in this turn: a search discovered it, or found it again before a call. */
export function isFoundIn(turn: TurnFacts, tool: string): boolean {
  return (
    turn.discovered.has(tool) ||
    (turn.searches.some(({ hits }) => hits.includes(tool)) && turn.calls.some((call) => call.tool === tool))
  );
}

/**
 * Returns the number of a turn's rounds whose request had the tool's definition: those after its discovery; all if it
 * was called but not discovered in this turn; otherwise none. With `bridge`, none contains it.
 */
function roundsWith(turn: TurnFacts, tool: string): number {
  if (turn.delivery === 'bridge') return 0;
  const discovered = turn.discovered.get(tool);
  if (discovered !== undefined) return turn.rounds.filter(({ round }) => round > discovered).length;
  return turn.calls.some((call) => call.tool === tool) ? turn.rounds.length : 0;
}

/** Returns a turn's searches that found no other called tool: their tokens, and the model calls that only searched. */
function sparedIn(
  turn: TurnFacts,
  tool: string,
): { readonly tokens: number; readonly calls: number; readonly requests: number } {
  const called = new Set(turn.calls.map((call) => call.tool));
  let tokens = 0;
  let calls = 0;
  let requests = 0;
  turn.rounds.forEach(({ round, overhead, onlySearched }, index) => {
    const next = turn.rounds[index + 1];
    if (!next) return;
    // A call may have several queries. It is saved only if all of them are unnecessary.
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
    if (spared < searches.size || turn.calls.some((call) => call.round === round)) return;
    calls++;
    if (!onlySearched) return;
    requests++;
    tokens += onlySearched.value;
  });
  return { tokens, calls, requests };
}
