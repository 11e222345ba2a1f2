/** The cost of input tokens with a provider's cache, in units of one fresh input token. */

import { type CacheRules, cacheable } from './cacheRules';
import type { CacheUse } from './promptCache';
import type { RoundTokens, Tokens } from './types';

/** Returns the cost of `total` input tokens. */
export function inputCost(total: number, { read, write }: CacheUse, rules: Pick<CacheRules, 'read' | 'write'>): number {
  return Math.round(total - read - write + read * rules.read + write * rules.write);
}

/**
 * Returns the provider's own report on its cache; undefined if there is none. If a provider charges for writing and
 * doesn't report it, everything that could be written counts as written.
 */
export function reportedCacheUse(
  { sent, cacheRead, cacheWrite }: RoundTokens,
  rules: CacheRules,
): CacheUse | undefined {
  if (cacheRead === undefined) return undefined;
  const write = cacheWrite ?? (rules.write === 1 ? 0 : Math.max(0, cacheable(sent.value, rules) - cacheRead));
  return { read: cacheRead, write };
}

/** Returns the cost of a round or a turn, always an estimate. If no cache is known, every token costs the same. */
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
