/** The cost of input tokens by way of a provider's cache, in units of one fresh input token. */

import { type CacheRules, cacheable } from './cacheRules';
import type { CacheUse } from './promptCache';
import type { RoundTokens, Tokens } from './types';

/** What so many input tokens cost. */
export function inputCost(total: number, { read, write }: CacheUse, rules: Pick<CacheRules, 'read' | 'write'>): number {
  return Math.round(total - read - write + read * rules.read + write * rules.write);
}

/**
 * The provider's own report on its cache; undefined if there is none. A provider that charges for writing and doesn't
 * report it has written all that it could.
 */
export function reportedCacheUse(
  { sent, cacheRead, cacheWrite }: RoundTokens,
  rules: CacheRules,
): CacheUse | undefined {
  if (cacheRead === undefined) return undefined;
  const write = cacheWrite ?? (rules.write === 1 ? 0 : Math.max(0, cacheable(sent.value, rules) - cacheRead));
  return { read: cacheRead, write };
}

/** The cost of a round or a turn, always an estimate. If no cache is known, every token costs as much as any other. */
export function costOf({ cost, sent, baseline }: Pick<RoundTokens, 'cost' | 'sent' | 'baseline'>): {
  readonly sent: Tokens;
  readonly baseline: Tokens;
  readonly net: Tokens;
} {
  const estimated = (value: number): Tokens => ({ value, certainty: 'estimated' });
  const weighed = cost ?? { sent: sent.value, baseline: baseline.value };
  return {
    sent: estimated(weighed.sent),
    baseline: estimated(weighed.baseline),
    net: estimated(weighed.baseline - weighed.sent),
  };
}
