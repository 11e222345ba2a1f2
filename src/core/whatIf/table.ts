/** The table of replays: its rows, the ranks of the called tools, and the turns that are left out. */

/** Why a turn can't be replayed. */
type LeftOutReason =
  /** It still runs, or it failed or was cancelled. */
  | 'unfinished'
  /** Another agent asked. Its instructions and tools aren't known. */
  | 'agent'
  /** The provider ran code of its own, whose calls can't be made again. */
  | 'providerCode'
  /** No language model was asked, or its usage isn't known. */
  | 'noModel'
  /** The file of an exported session contains no prompts and queries. */
  | 'noContents'
  /** It called a tool that is no longer in the catalog. */
  | 'toolGone'
  /** Its replay under the settings that it had gives other figures than were recorded. */
  | 'differs';

export interface LeftOutTurn {
  readonly turn: number;
  readonly why: LeftOutReason;
}

/** A tool that was called after a search, with its rank for that query under each strategy. */
export interface ToolRanks {
  readonly tool: string;
  readonly query: string;
  /** The ranks from 1, in the order of the built-in strategies; null if the strategy doesn't find it. */
  readonly ranks: readonly (number | null)[];
}

/** The change of a row against today's settings. */
export type Change =
  | { readonly kind: 'recorded' | 'today' | 'allEager' | 'deferred' }
  | { readonly kind: 'delivery' | 'strategy'; readonly to: string }
  | { readonly kind: 'maxResults'; readonly to: number }
  | { readonly kind: 'eager'; readonly tools: readonly string[] };

/** The figures of a turn or a row. `cost` is in units of one fresh input token; absent if the model's isn't known. */
export interface Figures {
  readonly requests: number;
  readonly tokens: number;
  readonly cost?: number;
}

export interface WhatIfRow extends Figures {
  readonly id: string;
  readonly change: Change;
  /** The called tools that the model would have had to search for again, or for the first time. */
  readonly missed: readonly string[];
  /** Set if the provider would have searched in turns in which it didn't: what it finds and adds isn't known. */
  readonly rough?: true;
  readonly turns: readonly (Figures & { readonly turn: number })[];
}

export interface WhatIf {
  /** The first row is what was recorded. */
  readonly rows: readonly WhatIfRow[];
  /** Whether every figure of the first row is the provider's own. */
  readonly measured: boolean;
  readonly turns: readonly { readonly turn: number; readonly prompt: string }[];
  readonly leftOut: readonly LeftOutTurn[];
  /** The number of turns before these that weren't looked at. */
  readonly earlier: number;
  /** The strategies in the order of the ranks. */
  readonly rankedBy: readonly string[];
  readonly ranks: readonly ToolRanks[];
  /** The id of the row with the lowest cost, or tokens, if it is worth a change. */
  readonly best?: string;
  /** Whether more rows are to come. */
  readonly running: boolean;
}
