import type { Tokens } from '../usage/types';

// The suggestions and their figures.

/**
 * A change that would have made the last turns cheaper, with the figures that support it. All figures are estimates,
 * computed from these turns. `id` identifies the same suggestion in every session.
 */
export type Suggestion = { readonly id: string } & (
  | ({ readonly kind: 'pinTool'; readonly tool: string } & PinFigures)
  | ({ readonly kind: 'deferTool'; readonly tool: string } & DeferFigures)
  /** None of a server's tools was called. Every request contained `eager` of them. */
  | ({ readonly kind: 'deferServer'; readonly server: string; readonly eager: number } & DeferFigures)
  /**
   * None of a server's tools was called, and none is eager. Of the `of` searched tools, `tools` are this server's. Of the
   * `results` tools that searches returned, `hits` were this server's.
   */
  | {
      readonly kind: 'hideServer';
      readonly server: string;
      readonly turns: number;
      readonly tools: number;
      readonly of: number;
      readonly hits: number;
      readonly results: number;
    }
);

/**
 * The figures of deferring tools that weren't called in `turns` turns: the tokens of their definitions, which were in
 * every request, and of the search that deferring adds if there is none yet. `net` is the difference.
 */
export interface DeferFigures {
  readonly turns: number;
  readonly tokens: Tokens;
  readonly added: Tokens;
  readonly net: Tokens;
}

/** The figures of pinning a tool. `cost`, `saved` and `net` are means over `of` turns. */
export interface PinFigures {
  /** The number of turns in which the tool was found, and the number of turns that were examined. */
  readonly turns: number;
  readonly of: number;
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
