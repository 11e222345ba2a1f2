// Computes how much of a request its provider read from the prompt cache, and how much of the previous request's cached
// tokens was lost.

import type { ModelPrices } from '../models/types';
import type { Usage } from '../ports';
import type { FollowedRequest } from './cacheMiss';
import { cacheable } from './promptCache';
import { sumTokens } from './tokens';
import type { CacheMissRecord, RoundTokens, Tokens } from './types';

/**
 * Returns the tokens that the provider read from its cache for the first reading of a request, those that it read
 * anew, and the tokens that the cache held afterwards. A provider that searches reads the request again after each
 * search, and then has all of the reading before in the cache.
 * @param first the usage of the first reading, if the provider reports it
 * @param rules the model's cache rules; a provider without marks caches all that it can
 */
export function cacheOf(
  { sent, cacheRead, cacheWrite = 0 }: RoundTokens,
  { searches, first }: { readonly searches: number; readonly first?: Usage | undefined },
  rules: ModelPrices | undefined,
): { readonly read: Tokens; readonly missed: number; readonly cached: Tokens } | undefined {
  if (cacheRead === undefined) return undefined;
  const marked = rules?.ends === undefined || rules.ends === 'marks';
  const own = searches === 0 ? { inputTokens: sent.value, cacheReadTokens: cacheRead } : first;
  const figure = (value: number, certainty = sent.certainty): Tokens => ({
    value: Math.max(0, Math.floor(value)),
    certainty,
  });
  if (own?.cacheReadTokens !== undefined) {
    const { inputTokens, cacheReadTokens: read } = own;
    // Each reading writes what it adds. At the end, the cache holds what the first reading found and all that was
    // written. If a reply was cut, the later readings are estimates: only what the first one wrote is certain.
    const written = (searches > 0 && sent.certainty === 'estimated' ? first?.cacheWriteTokens : cacheWrite) ?? 0;
    const held = marked ? read + written : cacheable(inputTokens, rules);
    return { read: figure(read, first ? 'measured' : undefined), missed: inputTokens - read, cached: figure(held) };
  }
  const one = Math.floor(sent.value / (searches + 1));
  const held = marked ? (cacheRead + cacheWrite) / (searches + 1) : cacheable(one, rules);
  const read = marked ? (cacheRead - searches * cacheWrite) / (searches + 1) : cacheRead - searches * held;
  return { read: figure(read, 'estimated'), missed: Math.max(0, one - read), cached: figure(held, 'estimated') };
}

/** The minimum number of tokens of a cache miss without a known reason. Some services' caches grow in steps of 128. */
const LEAST_UNKNOWN = 128;
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
  options: { readonly estimate: (chars: number) => Tokens; readonly lifeMs?: number; readonly said?: string },
): CacheMissRecord | undefined {
  if (!change) return undefined;
  const { estimate, lifeMs, said } = options;
  const last = before();
  const known = said === undefined ? change.broke : { ...(change.broke ?? { cause: 'reported' as const }), said };
  if (cache && last?.cached) {
    const expired = lifeMs !== undefined && change.sinceMs > lifeMs;
    return reportedMiss(cache, last.cached, { known, expired });
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

/** Returns the record of a request whose provider reports its cache. */
function reportedMiss(
  cache: NonNullable<ReturnType<typeof cacheOf>>,
  held: Tokens,
  { known, expired }: { readonly known: CacheMissRecord['broke']; readonly expired: boolean },
): CacheMissRecord {
  const gone = Math.max(0, held.value - cache.read.value);
  // The model before had other tokens for the same text. This one may have read all but the last, incomplete step.
  const own = cache.missed < LEAST_UNKNOWN ? 0 : Math.min(gone, cache.missed);
  const missed = known?.cause === 'model' ? own : gone;
  const isLarge = missed > held.value / 2 || (cache.read.certainty === 'measured' && missed >= LEAST_UNKNOWN);
  const silent = isLarge ? { cause: expired ? ('expired' as const) : ('unknown' as const) } : undefined;
  const broke = missed === 0 ? undefined : (known ?? silent);
  const { certainty } = sumTokens([held, cache.read]);
  const lost: Tokens = { value: broke ? missed : 0, certainty: broke?.cause === 'model' ? 'estimated' : certainty };
  // A cache grows in steps. If a request only grew, the incomplete step at its end is no loss.
  return { same: cache.read, lost, ...(broke ? { broke } : {}) };
}
