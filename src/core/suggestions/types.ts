import type { Tokens } from '../usage/types';
import type { Change } from '../whatIf/table';

// The suggestions and their figures.

/** The ids of tools in a suggestion. */
type ToolIds = readonly string[];

/**
 * A change that would make the session cheaper or a tool easier to find, with the figures that support it. All figures
 * are estimates of what would have been. `id` is the same for the same suggestion in every session.
 */
export type Suggestion = { readonly id: string } & (
  | ({ readonly kind: 'pinTool'; readonly tool: string } & PinFigures)
  /** A tool is eager and was never called. `tokens` are its definition's, in every round. */
  | { readonly kind: 'deferTool'; readonly tool: string; readonly turns: number; readonly tokens: Tokens }
  /**
   * None of a server's tools was called. `eager` of them were in every request with `tokens`; `added` is the cost of
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
   * None of a server's tools was called, and none is eager. They cost nothing, but each search looks through them:
   * `tools` of the `of` tools searched. `hits` of the `results` that searches returned were its tools.
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
  /** A tool's own words don't find it among the first `limit`; `rank` is its place. */
  | {
      readonly kind: 'unfound';
      readonly tool: string;
      readonly query: string;
      readonly limit: number;
      readonly rank?: number;
      readonly above: ToolIds;
    }
  /** A tool's description has only `words` words beyond its name, and none of its `args` arguments is described. */
  | { readonly kind: 'thin'; readonly tool: string; readonly words: number; readonly args: number }
  | { readonly kind: 'twins'; readonly tools: ToolIds; readonly sameName: boolean }
  /** Searching cost more than it saved, by cost if tokens alone don't show it. `net` is a turn's mean, below 0. */
  | {
      readonly kind: 'modeOff';
      readonly by: 'tokens' | 'cost';
      readonly turns: number;
      readonly losses: number;
      readonly net: Tokens;
    }
  /**
   * The newest turn that cost more than it saved, by cost if that is known. `requests` of its requests did nothing but
   * search.
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
  /** Tools have no search words in these languages. Writing them takes tokens once, in `requests` requests. */
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
   * The best row of a table of replays against today's settings, by cost if that is known. The figures are of all
   * `turns` together.
   */
  | {
      readonly kind: 'whatIf';
      readonly change: Change;
      readonly by: 'tokens' | 'price';
      readonly turns: number;
      readonly requests: { readonly before: number; readonly after: number };
      readonly before: Tokens;
      readonly after: Tokens;
      readonly net: Tokens;
    }
  /** Found tools that joined the definitions caused cache misses in `broken` turns. `lost` is a turn's mean. */
  | { readonly kind: 'bridge'; readonly turns: number; readonly broken: number; readonly lost: Tokens }
  /** The model called hits just below the limit in `turns` turns. */
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
  /** The number of turns in which it was found, of those that were looked at. */
  readonly turns: number;
  readonly of: number;
  /** The tokens of its definition. */
  readonly definition: Tokens;
  /** The tokens of its definition in the rounds without it. */
  readonly cost: Tokens;
  /** The tokens of search calls and results that were used only for it, in the rounds that carried them. */
  readonly saved: Tokens;
  /** `saved − cost`. */
  readonly net: Tokens;
  /** The number of model calls of all those turns that did nothing but search for it. */
  readonly calls: number;
}
