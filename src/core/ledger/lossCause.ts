import { sumTokens } from '../usage/tokens';
import type { CacheMissCause, CacheMissRecord, RoundTokens } from '../usage/types';
import type { LedgerEvent } from './events';

/**
 * Why a turn cost more than with every definition. `missed`: the provider's cache didn't hold what the turn repeated.
 * `cached`: the turn sent fewer tokens, but the cache would have made all definitions cheap. `searched`: searching took
 * more than the definitions. `guidance`: no search ran, and our own tools took more than the definitions. `undeferred`:
 * nothing was deferred, but our own tools, or definitions of tools that have changed or left, were sent too.
 */
export type LossCause = 'missed' | 'cached' | 'searched' | 'guidance' | 'undeferred';

/** The unit of a session's figures: US dollars if the price of each turn is known, otherwise tokens. */
export type Unit = 'usd' | 'tokens';

/** The causes of misses that a plain client's cache has too, so that they aren't the reason for the difference. */
const SHARED_MISSES = new Set<CacheMissCause>(['model', 'listed', 'delisted', 'changed', 'history', 'expired']);

/** A turn's events, the tokens of all its requests, and its cache misses. */
interface MeasuredTurn {
  readonly events: readonly LedgerEvent[];
  readonly tokens: RoundTokens;
  readonly misses: readonly Required<Pick<CacheMissRecord, 'broke' | 'lost'>>[];
}

/**
 * Returns why a turn cost more than with every definition; undefined if it didn't.
 * @param defers whether the turn deferred tools
 */
export function lossCause(
  { events, tokens, misses }: MeasuredTurn,
  defers: boolean,
  unit: Unit,
): LossCause | undefined {
  const { cost, sent, baseline } = tokens;
  const usd = unit === 'usd' ? cost?.usd : undefined;
  if (unit === 'usd' && !usd) return undefined;
  if (usd ? usd.sent <= usd.baseline : sent.value <= baseline.value) return undefined;
  if (usd && cost) {
    const loss = cost.sent - cost.baseline;
    const own = misses.filter(({ broke }) => !SHARED_MISSES.has(broke.cause));
    const readAgain = sumTokens(own.map(({ lost }) => lost)).value;
    if (readAgain > 0 && readAgain >= loss) return 'missed';
    // If searching cost less than the loss, the rest is what the cache would have saved on the definitions.
    const isCached = sent.value <= baseline.value || (cost.parts?.searchOverhead ?? loss) < loss;
    if (isCached && defers) return 'cached';
  }
  if (!defers) return 'undeferred';
  return events.some((event) => event.type === 'searched') ? 'searched' : 'guidance';
}
