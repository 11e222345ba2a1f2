import type { PartsView, Tokens, TurnView, ViewState } from '../src/inspector/protocol/view';
import type { Nav } from './nav';
import { PARTS } from './parts/kinds';

/** The unit of figures: tokens as they were sent, or their cost. */
export type Unit = 'tokens' | 'cost';

/** Returns the unit in which figures are shown: cost if it is known and the user didn't choose tokens. */
export function unitOf({ header }: ViewState, { unit }: Nav): Unit {
  return header.session?.cost ? (unit ?? 'cost') : 'tokens';
}

/**
 * Returns figures as costs. Figures without a cost stay in tokens. If the cost of each kind isn't known, the total cost
 * is divided in proportion to tokens. Tokens read from a cache have no figure of their own, since the cost includes
 * them.
 */
function weighed<Parts extends PartsView>(parts: Parts): Parts {
  const { cost } = parts;
  if (!cost) return { ...parts, cacheRead: undefined };
  const share = parts.sent.value > 0 ? cost.sent.value / parts.sent.value : 1;
  const estimated = (value: number): Tokens => ({ value: Math.round(value), certainty: 'estimated' });
  const kinds = PARTS.map(({ part }) => [part, estimated(cost.parts?.[part] ?? parts[part].value * share)]);
  const { sent, baseline, net } = cost;
  return { ...parts, sent, baseline, net, cacheRead: undefined, ...Object.fromEntries(kinds) };
}

/**
 * Whether a turn has a figure of tokens read from a cache. Costs have no such figure, and not every model reports it.
 */
export function showsCache(turns: readonly TurnView[]): boolean {
  return turns.some(({ rounds }) => rounds.some(({ cacheRead }) => cacheRead !== undefined));
}

/** The costs of turns. The same turn always gives the same object, so that it isn't drawn again. */
const costs = new WeakMap<TurnView, TurnView>();

/** Returns a turn's figures in a unit. */
export function weighedTurn(turn: TurnView, unit: Unit): TurnView {
  if (unit === 'tokens') return turn;
  const cost = costs.get(turn) ?? { ...weighed(turn), rounds: turn.rounds.map(weighed) };
  costs.set(turn, cost);
  return cost;
}
