import type { Tool } from '../catalog/tool';
import type { TurnInfo } from '../hooks/turnTools';

// The request, hits and outcome of a search.

/** The strategies that ship with the product. Others are registered by name through the API. */
export const BUILT_IN_STRATEGIES = ['bm25', 'regex', 'keywords', 'exact'] as const;
export type BuiltInStrategy = (typeof BUILT_IN_STRATEGIES)[number];

/** How a hit was matched, in the word that the model and the inspector see. */
export type MatchType = 'exact_name' | 'select' | 'bm25' | 'regex' | 'keywords' | 'exact' | 'external';

/** One question to the index. */
export interface SearchRequest {
  /** A phrase, a pattern (`regex`), or `select:a,b`. */
  readonly query: string;
  /**
   * All queries of the same search, including this one. A strategy of another extension is called once for all of them.
   */
  readonly queries?: readonly string[];
  /** A built-in strategy, `auto`, or the name of a registered one. */
  readonly strategy: string;
  /** Only tools of this server. Case and separators of the name don't matter. */
  readonly server?: string;
  /** Only tools that declare themselves read-only. */
  readonly readOnly?: boolean;
  /** The number of hits to return; at least 1. */
  readonly limit: number;
  /** The number of hits to return that the query names, if it is above `limit`. */
  readonly namedLimit?: number;
  /** The tools that may be found: the deferred ones of this round. All if left out. */
  readonly candidates?: ReadonlySet<string>;
  /** The ids that were discovered before. They can be found, but come after the new ones. */
  readonly discovered?: ReadonlySet<string>;
  /** The turn that searches, for strategies of other extensions: its question, its model, and all it has discovered. */
  readonly asker?: { readonly turn?: TurnInfo | undefined; readonly discovered: ReadonlySet<string> };
  /** Whether the hits of `bm25` have the parts of their scores. */
  readonly explain?: boolean;
}

/** The contribution of a word of the query to a score. */
export interface WordPart {
  readonly word: string;
  /** The number of tools in the index that have it. */
  readonly tools: number;
  readonly adds: number;
  /** The tool's own word that matches it: a synonym, or a word of the same root. */
  readonly via?: string;
  /** Set if only the tool's search words have it. */
  readonly isSearchWord?: true;
}

/** The parts of a tool's score. All parts, words included, add up to it. */
export interface ScoreParts {
  readonly words: readonly WordPart[];
  /** For the share of the tool's name that the query covers. */
  readonly nameCoverage: number;
  /** For the share of the query that the tool covers. */
  readonly queryCoverage: number;
  /** For how well its server as a whole fits. */
  readonly serverFit: number;
  /** For a word of the server's name. */
  readonly serverNamed: number;
  /** For being named in the query. Named tools come before all others. */
  readonly named: number;
}

/**
 * A hit compared with the best one, 0 to 1: its score divided by the best score, and its coverage of the query divided
 * by the best hit's.
 */
export interface Weakness {
  readonly score: number;
  readonly covered: number;
}

export interface SearchHit {
  readonly tool: Tool;
  /** Comparable within one outcome only. */
  readonly score: number;
  readonly matchType: MatchType;
  /** The words of the query (as typed, in lower case) that this tool matched. */
  readonly terms: readonly string[];
  /** Set if it fits so much less than the best that it isn't returned, only named. */
  readonly weak?: Weakness;
  /** Set if the request asked for it and `bm25` ranked. */
  readonly parts?: ScoreParts;
}

/** The longest query, in characters. */
export const MAX_QUERY = 1_000;

/** A refused search, worded for the model: the mistake and what to write instead. */
export interface SearchError {
  readonly code:
    | 'empty_query'
    | 'pattern_too_long'
    | 'invalid_pattern'
    | 'unsupported_pattern'
    | 'unknown_strategy'
    | 'unknown_server'
    | 'strategy_failed'
    | 'query_too_long';
  readonly message: string;
}

export interface SearchSuccess {
  readonly ok: true;
  /** The strategy that ran. */
  readonly strategy: string;
  /** Why this strategy ran, if `auto` chose it or a fallback happened. */
  readonly why?: string;
  /** A fallback that the user should see (a registered strategy failed): one sentence. */
  readonly warning?: string;
  /** At most `limit`, or `namedLimit` if the query names them; best first. */
  readonly hits: readonly SearchHit[];
  /** The hits that come next: weak ones, and a few that the limit cut off. */
  readonly below: readonly SearchHit[];
  /** The number of candidates that matched. */
  readonly matched: number;
  /** The number of candidates that were searched. */
  readonly searched: number;
  /** Names in `select:`, or in a query that only lists names, that no candidate has. */
  readonly missing?: readonly string[];
  /** Advice on what to write instead if nothing matched: one sentence for the model. */
  readonly hint?: string;
  /** Names near the query if nothing matched, or near the missing names. */
  readonly nearest: readonly string[];
  readonly ms: number;
}

export type SearchOutcome =
  | SearchSuccess
  | { readonly ok: false; readonly strategy: string; readonly error: SearchError; readonly ms: number };

/** Searches the catalog that it last got. Never rejects: an aborted signal gives an error outcome. */
export interface SearchPort {
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome>;
}
