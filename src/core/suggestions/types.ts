import type { Tokens } from '../usage/types';

/** Tools named beside a suggestion. */
type ToolIds = readonly string[];

/**
 * Something that would make the session cheaper or a tool easier to find, with the figures that speak for it. All figures
 * are estimates: they say what would have been. `id` is the same for the same suggestion in every session.
 */
export type Suggestion = { readonly id: string } & (
  | ({ readonly kind: 'pinTool'; readonly tool: string } & PinFigures)
  /** Eager and never called: `tokens` is its definition's, in every round. */
  | { readonly kind: 'deferTool'; readonly tool: string; readonly turns: number; readonly tokens: Tokens }
  /** None of a server's tools was called: `eager` of them were in every request with `tokens`, `added` is what searching would cost. */
  | {
      readonly kind: 'deferServer';
      readonly server: string;
      readonly turns: number;
      readonly eager: number;
      readonly tokens: Tokens;
      readonly added: Tokens;
      readonly net: Tokens;
    }
  /**
   * None of a server's tools was called, and none is eager: they cost nothing, but each search looks through them, `tools`
   * `of` so many. `hits` of the `results` that searches returned were its tools.
   */
  | {
      readonly kind: 'idleServer';
      readonly server: string;
      readonly turns: number;
      readonly tools: number;
      readonly of: number;
      readonly hits: number;
      readonly results: number;
    }
  /** Its own words don't find it among the first `limit`; `rank` is where they do. */
  | {
      readonly kind: 'unfound';
      readonly tool: string;
      readonly query: string;
      readonly limit: number;
      readonly rank?: number;
      readonly above: ToolIds;
    }
  /** `words` that say something beyond its name; none of its `args` arguments is described. */
  | { readonly kind: 'thin'; readonly tool: string; readonly words: number; readonly args: number }
  | { readonly kind: 'twins'; readonly tools: ToolIds; readonly sameName: boolean }
  /** Searching cost more than it saved, by price where tokens alone don't show it: `net` is a turn's, below 0. */
  | {
      readonly kind: 'modeOff';
      readonly by: 'tokens' | 'price';
      readonly turns: number;
      readonly losses: number;
      readonly net: Tokens;
    }
  /** The newest turn that cost more than it saved, by cost if that is known. `requests` of it did nothing but search. */
  | {
      readonly kind: 'costlyTurn';
      readonly by: 'tokens' | 'price';
      readonly turn: number;
      readonly requests: number;
      readonly sent: Tokens;
      readonly baseline: Tokens;
      /** Below 0. */
      readonly net: Tokens;
    }
  /** Found tools that joined the definitions lost the cache in `broken` turns: `lost` is a turn's mean. */
  | { readonly kind: 'bridge'; readonly turns: number; readonly broken: number; readonly lost: Tokens }
  /** What was called stood just below the limit in `turns` turns. */
  | {
      readonly kind: 'moreResults';
      readonly turns: number;
      readonly of: number;
      readonly from: number;
      readonly to: number;
    }
);

/** What pinning a tool would have come to, each a mean over `of` turns. */
export interface PinFigures {
  /** Turns in which it was discovered, of those that were looked at. */
  readonly turns: number;
  readonly of: number;
  /** Its definition's tokens. */
  readonly definition: Tokens;
  /** Its definition in the rounds that went without it. */
  readonly cost: Tokens;
  /** Search calls and results that only it was used of, in the rounds that carried them. */
  readonly saved: Tokens;
  /** `saved − cost`. */
  readonly net: Tokens;
  /** Model calls of all those turns that did nothing but search for it. */
  readonly calls: number;
}
