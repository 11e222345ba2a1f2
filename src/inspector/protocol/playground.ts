import type { OwnSource } from '../../core/search/query/ownQueries';
import type { ScoreParts, WordPart } from '../../core/search/types';

/** Answers of the playground. Its questions are in requests.ts. */

export interface PlayHit {
  readonly rank: number;
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** The score; undefined if the strategy has none. */
  readonly score?: number;
  /** The words of the query to highlight in the name. */
  readonly terms: readonly string[];
  /**
   * Set if the hit is too weak to be returned to a model. `score` and `covered` are its score and its coverage of the
   * query, each divided by the best hit's.
   */
  readonly weak?: { readonly score: number; readonly covered: number };
  /** Set if the query names this tool, which then comes first whatever its score. */
  readonly named?: true;
  /** The parts of the score, if the strategy reports them: the matched words and the bonuses. */
  readonly parts?: {
    readonly words: readonly Omit<WordPart, 'tools'>[];
    readonly bonuses: Readonly<Partial<Record<PlayBonus, number>>>;
  };
}

/** The name of a bonus in a score. */
export type PlayBonus = Exclude<keyof ScoreParts, 'words'>;

/** The result of one strategy. */
export interface PlayColumn {
  readonly strategy: string;
  readonly inUse: boolean;
  /** Whether there is no result yet. Strategies of other extensions may take long. */
  readonly running: boolean;
  readonly ms: number;
  readonly matched: number;
  readonly searched: number;
  /** The hits. The first `returned` of them would be returned to a model. */
  readonly hits: readonly PlayHit[];
  readonly returned: number;
  /**
   * The words of the query after parsing, each with the number of tools that contain it. Only if the hits have parts.
   */
  readonly words?: readonly Pick<WordPart, 'word' | 'tools'>[];
  /** Similar names if nothing matched. */
  readonly nearest: readonly string[];
  /** A sentence on why the strategy has no hits of its own. */
  readonly error?: string;
}

/** The ranks of a tool for one query. */
export interface PlayRow {
  readonly source: OwnSource | 'typed';
  readonly query: string;
  /**
   * The result of each strategy, in the order of the strategies. `rank` is undefined if the tool wasn't found.
   * `returned` is set if the tool would be returned to a model.
   */
  readonly cells: readonly { readonly rank?: number; readonly returned?: true; readonly error?: string }[];
  /** The first few tools that rank above this one with the strategy in use, best first. */
  readonly above: readonly Pick<PlayHit, 'id' | 'name' | 'server'>[];
}

export type PlayAnswer =
  | { readonly mode: 'query'; readonly limit: number; readonly columns: readonly PlayColumn[] }
  | {
      readonly mode: 'tool';
      readonly tool: string;
      /** The number of hits that are returned to a model. */
      readonly limit: number;
      /** The number of hits among which the tool was looked for. */
      readonly depth: number;
      readonly strategies: readonly { readonly name: string; readonly inUse: boolean }[];
      readonly rows: readonly PlayRow[];
      /** Whether more rows will come. */
      readonly running: boolean;
    };
