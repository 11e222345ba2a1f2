import type { Tokens } from '../usage/types';
import type { Change } from '../whatIf/types';

// The suggestions and their figures.

/** The ids of tools in a suggestion. */
type ToolIds = readonly string[];

/**
 * A change that would make the session cheaper or a tool easier to find, with the figures that support it. All figures
 * are estimates. `id` identifies the same suggestion in every session.
 */
export type Suggestion = { readonly id: string } & (
  | ({ readonly kind: 'pinTool'; readonly tool: string } & PinFigures)
  /** An eager tool was never called. `tokens` is the size of its definition, which was in every round. */
  | { readonly kind: 'deferTool'; readonly tool: string; readonly turns: number; readonly tokens: Tokens }
  /**
   * None of a server's tools was called. Every request contained `eager` of them, with `tokens`. `added` is the cost of
   * searching.
   */
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
   * None of a server's tools was called, and none is eager. They cost no tokens. Of the `of` searched tools, `tools`
   * are this server's. Of the `results` tools that searches returned, `hits` were this server's.
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
  /** A tool isn't among the first `limit` hits for its own words; `rank` is its place. */
  | {
      readonly kind: 'unfound';
      readonly tool: string;
      readonly query: string;
      readonly limit: number;
      readonly rank?: number;
      readonly above: ToolIds;
    }
  /**
   * A tool's description has only `words` words beyond its name, and none of its `args` arguments has a description.
   */
  | { readonly kind: 'thin'; readonly tool: string; readonly words: number; readonly args: number }
  | { readonly kind: 'twins'; readonly tools: ToolIds; readonly sameName: boolean }
  /**
   * Searching cost more than it saved. If tokens alone don't show this, it is measured by cost. `net` is the mean per
   * turn, below 0.
   */
  | {
      readonly kind: 'modeOff';
      readonly by: 'tokens' | 'cost';
      readonly turns: number;
      readonly losses: number;
      readonly net: Tokens;
    }
  /**
   * The newest turn in which searching cost more than it saved, by cost if the cost is known. `requests` of its
   * requests only searched.
   */
  | {
      readonly kind: 'costlyTurn';
      readonly by: 'tokens' | 'cost';
      readonly turn: number;
      readonly requests: number;
      readonly sent: Tokens;
      readonly baseline: Tokens;
      /** The net saving, below 0. */
      readonly net: Tokens;
    }
  /**
   * Tools without search words in these languages. Having a model write them takes tokens once, in `requests` requests.
   */
  | {
      readonly kind: 'writeWords';
      readonly tools: number;
      readonly of: number;
      readonly languages: readonly string[];
      readonly input: Tokens;
      readonly output: Tokens;
      readonly requests: number;
    }
  /**
   * The best row of a table of replays compared with today's settings, by cost if the cost is known. The figures are
   * sums over `turns`.
   */
  | {
      readonly kind: 'whatIf';
      readonly change: Change;
      readonly by: 'tokens' | 'cost';
      readonly turns: number;
      readonly requests: { readonly before: number; readonly after: number };
      readonly before: Tokens;
      readonly after: Tokens;
      readonly net: Tokens;
    }
  /** Found tools that joined the definitions caused cache misses in `broken` turns. `lost` is the mean per turn. */
  | { readonly kind: 'bridge'; readonly turns: number; readonly broken: number; readonly lost: Tokens }
  /** In `turns` turns, the model called tools whose hits were just below the limit. */
  | {
      readonly kind: 'moreResults';
      readonly turns: number;
      readonly of: number;
      readonly from: number;
      readonly to: number;
    }
);

/** The figures of pinning a tool. `cost`, `saved` and `net` are means over `of` turns. */
export interface PinFigures {
  /** The number of turns in which the tool was found, and the number of turns that were examined. */
  readonly turns: number;
  readonly of: number;
  /** The tokens of the tool's definition. */
  readonly definition: Tokens;
  /** The tokens that its definition would add to the rounds without it. */
  readonly cost: Tokens;
  /** The tokens of search calls and results that were needed only for this tool, in the rounds that contained them. */
  readonly saved: Tokens;
  /** `saved − cost`. */
  readonly net: Tokens;
  /** The number of model calls in these turns that only searched for this tool. */
  readonly calls: number;
}
