/** The table of replays: its rows, the ranks of the called tools, and the turns that were left out. */

/** The reason why a turn can't be replayed. */
type LeftOutReason =
  /** The turn is still running, or it failed or was cancelled. */
  | 'unfinished'
  /** Another agent asked, whose instructions and tools aren't known. */
  | 'agent'
  /** The provider ran code of its own, and the calls of that code can't be repeated. */
  | 'providerCode'
  /** No language model was asked, or its usage isn't known. */
  | 'noModel'
  /** The file of an exported session contains no prompts and queries. */
  | 'noContents'
  /** The turn called a tool that is no longer in the catalog. */
  | 'toolGone'
  /** A replay with the turn's own settings gives other figures than the recorded ones. */
  | 'differs';

export interface LeftOutTurn {
  readonly turn: number;
  readonly why: LeftOutReason;
}

/** A tool that was called after a search, with the tool's rank for that query under each strategy. */
export interface ToolRanks {
  readonly tool: string;
  readonly query: string;
  /** The ranks, from 1, in the order of `rankedBy`; null if a strategy doesn't find the tool. */
  readonly ranks: readonly (number | null)[];
}

/** The difference between a row's settings and today's. */
export type Change =
  | { readonly kind: 'recorded' | 'today' | 'allEager' | 'deferred' }
  | { readonly kind: 'delivery' | 'strategy'; readonly to: string }
  | { readonly kind: 'maxResults'; readonly to: number }
  | { readonly kind: 'eager'; readonly tools: readonly string[] };

/**
 * The figures of a turn or a row. `cost` is in units of one fresh input token; absent if the model's prices aren't
 * known.
 */
export interface Figures {
  readonly requests: number;
  readonly tokens: number;
  readonly cost?: number;
}

/** The main reason why too much of a row's figures is uncertain. */
export type RoughReason =
  /** The figures depend on texts that no recorded request has, such as the results of the provider's own search. */
  | 'texts'
  /** With delivery `bridge` the model may search again for a tool that it found in an earlier turn. */
  | 'searches'
  /** The requests have about the provider's minimum length for its cache, so they may or may not be cached. */
  | 'cache';

export interface WhatIfRow extends Figures {
  readonly id: string;
  readonly change: Change;
  /** The called tools for which the model would have needed a further search. */
  readonly missed: readonly string[];
  /** Set if too much of the figures is uncertain. */
  readonly rough?: RoughReason;
  readonly turns: readonly (Figures & { readonly turn: number })[];
}

export interface WhatIf {
  /** The rows of the table. The first one has the recorded figures. */
  readonly rows: readonly WhatIfRow[];
  /** Whether every figure of the first row is the provider's own. */
  readonly measured: boolean;
  readonly turns: readonly { readonly turn: number; readonly prompt: string }[];
  readonly leftOut: readonly LeftOutTurn[];
  /** The number of earlier turns that weren't replayed. */
  readonly earlier: number;
  /** The strategies, in the order of the ranks. */
  readonly rankedBy: readonly string[];
  readonly ranks: readonly ToolRanks[];
  /**
   * The id of the row with the lowest cost (or number of tokens), if the saving is large enough to suggest the change.
   */
  readonly best?: string;
  /** Whether more rows will follow. */
  readonly running: boolean;
}
