import type { PartsView, Tokens, TurnView } from '../src/inspector/protocol/view';

/** The unit of figures: tokens as they were sent, or their cost. */
export type Unit = 'tokens' | 'price';

/**
 * Figures by price: the parts shrink as the whole does; what has no price counts with its tokens, and what was read
 * from a cache is in the price.
 */
function weighed<Parts extends PartsView>(parts: Parts, unit: Unit): Parts {
  const { price } = parts;
  if (unit === 'tokens') return parts;
  if (!price) return { ...parts, cacheRead: undefined };
  const share = parts.sent.value > 0 ? price.sent.value / parts.sent.value : 1;
  const shrunk = ({ value }: Tokens): Tokens => ({ value: Math.round(value * share), certainty: 'estimated' });
  return {
    ...parts,
    ...price,
    cacheRead: undefined,
    promptAndHistory: shrunk(parts.promptAndHistory),
    eager: shrunk(parts.eager),
    discovered: shrunk(parts.discovered),
    searchOverhead: shrunk(parts.searchOverhead),
  };
}

/**
 * Whether a figure of what was read from a cache is there to show: not by price, which has it in it, nor of models
 * that don't tell.
 */
export function showsCache(turns: readonly TurnView[]): boolean {
  return turns.some(({ rounds }) => rounds.some(({ cacheRead }) => cacheRead !== undefined));
}

export function weighedTurn(turn: TurnView, unit: Unit): TurnView {
  return unit === 'tokens'
    ? turn
    : { ...weighed(turn, unit), rounds: turn.rounds.map((round) => weighed(round, unit)) };
}
