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
}
