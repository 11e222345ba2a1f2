import type { RoundTokens, Tokens } from './types';

/** What a provider takes for input tokens by way of its cache, as shares of what a fresh one costs. */
interface CacheRatios {
  /** For a token that is read from the cache. */
  readonly read: number;
  /** For a token that is written to it, its own reading among it. */
  readonly write: number;
}

/** Where nothing is known of a price: every token costs as much as any other. */
export const NO_CACHE: CacheRatios = { read: 1, write: 1 };

interface Row extends CacheRatios {
  readonly vendor: RegExp;
  readonly model: RegExp;
}

/**
 * The one table of prices of caches; the first row that fits holds. As documented in November 2026:
 * Anthropic (docs.claude.com, "Pricing", prompt caching): reading 0.1, writing for five minutes 1.25; Opus 5.5 and Sonnet 5.5
 * read at 0.05. OpenAI (developers.openai.com, "Prompt caching" and "Pricing"): the GPT-5 line reads at 0.1, writing costs
 * 1.25 from GPT-5.6 on and nothing more than input before; GPT-4.1 reads at 0.25, GPT-4o at 0.5.
 */
const TABLE: readonly Row[] = [
  { vendor: /anthropic/, model: /(?:opus|sonnet)-5[-.]5/, read: 0.05, write: 1.25 },
  { vendor: /anthropic/, model: /claude/, read: 0.1, write: 1.25 },
  { vendor: /openai/, model: /gpt-(?:5[-.](?:[6-9]|\d\d)|[6-9])/, read: 0.1, write: 1.25 },
  { vendor: /openai/, model: /gpt-5/, read: 0.1, write: 1 },
  { vendor: /openai/, model: /gpt-4[-.]1/, read: 0.25, write: 1 },
  { vendor: /openai/, model: /gpt-4o/, read: 0.5, write: 1 },
];

/** The ratios of a model; {@link NO_CACHE} for any that isn't in the table. */
export function cacheRatios({ vendor, id }: { readonly vendor: string; readonly id: string }): CacheRatios {
  const row = TABLE.find((candidate) => candidate.vendor.test(vendor) && candidate.model.test(id.toLowerCase()));
  return row ?? NO_CACHE;
}

/** How a round's request stands to the one before it in its conversation, as far as a cache is concerned. */
interface CacheState {
  /** All that the baseline's request before held; undefined where there was none. */
  readonly before: number | undefined;
  /** Whether a request with every definition in it would have found the one before in the cache. */
  readonly warm: boolean;
}

/**
 * A round weighed by the price of its tokens. What was sent, by the provider's own figures: `fresh + read · ratio + written · ratio`.
 * What the baseline would have cost is the cached prefix that it would have been: what stood in the request before is read, the
 * rest is written; all is written where there was none before, or where its cache would have been lost as well. Where the
 * history alone had changed, the baseline is taken as read all the same: that speaks against deferring, not for it. Where every
 * definition was sent, that was the baseline, and cost what it cost.
 * Undefined where the provider doesn't say what it read and wrote, or its prices aren't known.
 */
export function cacheCost(
  tokens: RoundTokens,
  ratios: CacheRatios,
  { before, warm }: CacheState,
): RoundTokens['price'] {
  const { cacheRead, cacheWrite = 0 } = tokens;
  if (cacheRead === undefined || ratios === NO_CACHE) return undefined;
  const { read, write } = ratios;
  const inCache = warm ? Math.min(before ?? 0, tokens.baseline.value) : 0;
  const sent = Math.round(tokens.sent.value - cacheRead - cacheWrite + cacheRead * read + cacheWrite * write);
  const isBaseline =
    tokens.sent.value === tokens.baseline.value && tokens.discovered.value + tokens.searchOverhead.value === 0;
  return { sent, baseline: isBaseline ? sent : Math.round(inCache * read + (tokens.baseline.value - inCache) * write) };
}

/** A round's or a turn's price, always an estimate; where none is known every token costs as much as any other. */
export function costOf({ price, sent, baseline }: Pick<RoundTokens, 'price' | 'sent' | 'baseline'>): {
  readonly sent: Tokens;
  readonly baseline: Tokens;
  readonly net: Tokens;
} {
  const estimated = (value: number): Tokens => ({ value, certainty: 'estimated' });
  const weighed = price ?? { sent: sent.value, baseline: baseline.value };
  return {
    sent: estimated(weighed.sent),
    baseline: estimated(weighed.baseline),
    net: estimated(weighed.baseline - weighed.sent),
  };
}
