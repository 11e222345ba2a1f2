/** Where a number comes from; a sum with one estimated part is estimated. */
export type Certainty = 'measured' | 'estimated';

/** A number of tokens and how it is known. */
export interface Tokens {
  readonly value: number;
  readonly certainty: Certainty;
}

/** What one model call cost, by kind. `promptAndHistory` is what the conversation would cost in any system. */
export interface RoundTokens {
  readonly promptAndHistory: Tokens;
  readonly eager: Tokens;
  readonly discovered: Tokens;
  /** Search tools' definitions, guidance, and the search calls and results that stand in the conversation. */
  readonly searchOverhead: Tokens;
  /** All that was sent: the sum of the four above. */
  readonly sent: Tokens;
  /** What it would have been with every definition in the request and no search: `promptAndHistory` + all definitions. */
  readonly baseline: Tokens;
  /** Input tokens that the provider read from its cache, where it says so. */
  readonly cacheRead?: number;
  /** Input tokens that it wrote to its cache, where it says so. */
  readonly cacheWrite?: number;
  /**
   * `sent` and `baseline` weighed by what the provider takes for reading and writing its cache, in units of one fresh input
   * token; absent where nothing is known of a cache. See cachePrice.ts.
   */
  readonly price?: { readonly sent: number; readonly baseline: number };
}

/** A request beside the one before it in its conversation; see prefix.ts. */
export interface CacheMissRecord {
  /** What could be read from a cache again. */
  readonly same: Tokens;
  /** What of the request before had to be read anew. */
  readonly lost: Tokens;
  /** The first difference; absent where the request only adds to the one before. `tool`: its id. */
  readonly broke?: { readonly cause: CacheMissCause; readonly tool?: string };
}

/** Why a provider could not read the whole request before from its cache. */
export const CACHE_MISS_CAUSES = [
  'model',
  'delivery',
  // Our own tools came or went: something is deferred, or nothing is any more.
  'deferral',
  // A found tool joined the definitions, which stand before the conversation.
  'discovered',
  // A server listed a tool, lists it no more, or words it differently.
  'listed',
  'delisted',
  'changed',
  // A setting or a pin put a tool into the request or took it out.
  'madeEager',
  'madeDeferred',
  'system',
  'history',
  // Nothing changed; the cache was kept no longer.
  'expired',
] as const;
export type CacheMissCause = (typeof CACHE_MISS_CAUSES)[number];
