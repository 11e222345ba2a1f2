/**
 * Computes how much of a request its provider read from the prompt cache, and how much of the previous request's cached
 * tokens was lost.
 */

import type { ModelPrices } from '../models/types';
import type { FollowedRequest } from './cacheMiss';
import { cacheable } from './promptCache';
import { sumTokens } from './tokens';
import type { CacheMissRecord, RoundTokens, Tokens } from './types';

/**
 * Returns the tokens that the provider read from its cache for one reading of a request, and the tokens that the cache
 * held afterwards. A provider that searches reads the request again after each search, and then has all of it in the
 * cache.
 * @param rules the model's cache rules; a provider without marks caches all that it can
 */
export function cacheOf(
  { sent, cacheRead, cacheWrite = 0 }: RoundTokens,
  searches: number,
  rules: ModelPrices | undefined,
): { readonly read: Tokens; readonly cached: Tokens } | undefined {
  if (cacheRead === undefined) return undefined;
  const times = searches + 1;
  const figure = (value: number): Tokens => ({
    value: Math.max(0, Math.floor(value)),
    certainty: searches > 0 ? 'estimated' : sent.certainty,
  });
  const marked = rules?.ends === undefined || rules.ends === 'marks';
  const held = marked ? (cacheRead + cacheWrite) / times : cacheable(Math.floor(sent.value / times), rules);
  return { read: figure((cacheRead - (marked ? searches * cacheWrite : 0)) / times), cached: figure(held) };
}

/** The minimum length of a request's beginning that any provider caches, in tokens. */
const MIN_CACHED = 1_024;

/**
 * Returns how much of the previous request was read from the cache, and how much was lost. The figures are the
 * provider's own if it reports its cache; otherwise they are estimated from characters. No more can be lost than was
 * cached. Undefined for the first request of a conversation.
 * @param said the changed part in the service's own word
 */
export function cacheMissRecord(
  { change, before }: FollowedRequest,
  cache: ReturnType<typeof cacheOf>,
  {
    estimate,
    lifeMs,
    said,
  }: {
    readonly estimate: (chars: number) => Tokens;
    readonly lifeMs: number | undefined;
    readonly said?: string | undefined;
  },
): CacheMissRecord | undefined {
  if (!change) return undefined;
  const last = before();
  const known = said === undefined ? change.broke : { ...(change.broke ?? { cause: 'reported' as const }), said };
  if (cache && last?.cached) {
    const missed = Math.max(0, last.cached.value - cache.read.value);
    const expired = lifeMs !== undefined && change.sinceMs > lifeMs && missed > last.cached.value / 2;
    const broke = missed === 0 ? undefined : (known ?? (expired ? { cause: 'expired' as const } : undefined));
    const { certainty } = sumTokens([last.cached, cache.read]);
    // A cache grows in steps. If a request only grew, the incomplete step at its end is no loss.
    return { same: cache.read, lost: { value: broke ? missed : 0, certainty }, ...(broke ? { broke } : {}) };
  }
  const total = change.same + change.lost;
  const held = last?.sent.value ?? estimate(total).value;
  const isCached = held >= MIN_CACHED;
  const same = Math.round((held * change.same) / Math.max(1, total));
  const broke = isCached ? known : undefined;
  return {
    same: { value: isCached ? same : 0, certainty: 'estimated' },
    lost: { value: broke ? held - same : 0, certainty: 'estimated' },
    ...(broke ? { broke } : {}),
  };
}
