import type { OwnSource } from '../../core/search/text/ownWords';
import type { ScoreParts, WordPart } from '../../core/search/types';

/** Answers of the playground. Its questions are in requests.ts. */

/** A hit of one strategy. */
export interface PlayHit {
  readonly rank: number;
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** Absent if the strategy has no scores. */
  readonly score?: number;
  /** Words of the query to be marked in the name. */
  readonly terms: readonly string[];
  /** About how often it was used after a query with one of these words, which its own text lacks. */
  /**
   * If it fits too little to reach a model: its shares of the best score, and of what the best covers of the
   * query.
   */
  readonly weak?: { readonly score: number; readonly covered: number };
  /** The query names it, so it comes first whatever its score. */
  readonly named?: true;
  /** The parts of the score, if the strategy reports them: the words that add to it, and the bonuses. */
  readonly parts?: {
    readonly words: readonly Omit<WordPart, 'tools'>[];
    readonly bonuses: Readonly<Partial<Record<PlayBonus, number>>>;
  };
}

/** A part of a score besides its words. */
export type PlayBonus = Exclude<keyof ScoreParts, 'words'>;

/** The answer of one strategy to the query. */
export interface PlayColumn {
  readonly strategy: string;
  readonly inUse: boolean;
  /** It has not answered yet: code of another extension may take its time. */
  readonly running: boolean;
  readonly ms: number;
  readonly matched: number;
  readonly searched: number;
  /** The hits; the first `returned` of them reach the model. */
  readonly hits: readonly PlayHit[];
  readonly returned: number;
  /** The words of the query as they were read, with how many tools have each; only if the hits have parts. */
  readonly words?: readonly Pick<WordPart, 'word' | 'tools'>[];
  /** Names near the query if nothing matched. */
  readonly nearest: readonly string[];
  /** One sentence on why there are no hits of its own. */
  readonly error?: string;
}

/** Where a tool comes for one query. */
export interface PlayRow {
  readonly source: OwnSource | 'typed';
  readonly query: string;
  /** By strategy, in their order; `rank` absent if it isn't found, `returned` set if it reaches the model. */
  readonly cells: readonly { readonly rank?: number; readonly returned?: true; readonly error?: string }[];
  /** The tools above it under the strategy in use, best first, a few of them. */
  readonly above: readonly { readonly id: string; readonly name: string; readonly server: string }[];
}

export type PlayAnswer =
  | { readonly mode: 'query'; readonly limit: number; readonly columns: readonly PlayColumn[] }
  | {
      readonly mode: 'tool';
      readonly tool: string;
      /** Ranks up to here reach the model. */
      readonly limit: number;
      /** How many ranks were looked at. */
      readonly depth: number;
      readonly strategies: readonly { readonly name: string; readonly inUse: boolean }[];
      readonly rows: readonly PlayRow[];
      /** More rows are to come. */
      readonly running: boolean;
    };
