import type { TurnInfo } from '../../../tool-search';
import type { Tool } from '../catalog/tool';
import { type BuiltInStrategy, STRATEGIES } from '../settings/settings';

/** The strategies that ship with the product. Other extensions can register more by name. */
export const BUILT_IN_STRATEGIES = Object.keys(STRATEGIES) as readonly BuiltInStrategy[];

export function isBuiltIn(strategy: string): strategy is BuiltInStrategy {
  return (BUILT_IN_STRATEGIES as readonly string[]).includes(strategy);
}

/** How a hit was matched. The model and the inspector see this word. */
export type MatchType = BuiltInStrategy | 'exact_name' | 'select' | 'external';

/** One question to the index. */
export interface SearchRequest {
  /** A phrase, a pattern (for `regex`), or `select:a,b`. */
  readonly query: string;
  /** All queries of the same search, including this one. A strategy of another extension gets them in one call. */
  readonly queries?: readonly string[];
  /** A built-in strategy, `auto`, or the name of a registered one. */
  readonly strategy: string;
  /** Only tools of this server. Case and separators of the name don't matter. */
  readonly server?: string;
  /** Only tools that declare themselves read-only. */
  readonly readOnly?: boolean;
  /** The number of hits to return; at least 1. */
  readonly limit: number;
  /** A higher limit for tools that the query names. It applies to these tools if it is more than `limit`. */
  readonly namedLimit?: number;
  /** The number of hits to return with those below the limit; a few more than `limit` if absent. */
  readonly shown?: number;
  /** Ids of the tools that may be found: the round's deferred ones. All tools if absent. */
  readonly candidates?: ReadonlySet<string>;
  /** Ids of the tools that were discovered before. They can be found again, but come after new ones. */
  readonly discovered?: ReadonlySet<string>;
  /** The turn that searches, and all that it has discovered. Strategies of other extensions get both. */
  readonly asker?: { readonly turn?: TurnInfo | undefined; readonly discovered: ReadonlySet<string> };
  /** Whether hits of `bm25` include the parts of their scores. */
  readonly explain?: boolean;
}

/** The contribution of one word of the query to a score. */
export interface WordPart {
  readonly word: string;
  /** The number of tools in the index that have the word. */
  readonly tools: number;
  readonly adds: number;
  /** The tool's own word that matches the query's word: a synonym, or a word with the same root. */
  readonly via?: string;
  /** Set if only the tool's search words contain the word. */
  readonly isSearchWord?: true;
}

/** The parts of a tool's score. The score is the sum of these parts and of its words. */
export interface ScoreParts {
  readonly words: readonly WordPart[];
  /** The bonus for the share of the tool's name that the query covers. */
  readonly nameCoverage: number;
  /** The bonus for the share of the query that the tool covers. */
  readonly queryCoverage: number;
  /** The bonus for how well the tool's server as a whole fits. */
  readonly serverFit: number;
  /** The bonus for a word of the server's name. */
  readonly serverNamed: number;
  /** The bonus if the query names the tool. Such tools come before all others. */
  readonly named: number;
}

/** A hit compared with the best one, 0 to 1: its score divided by the best score, its coverage by the best coverage. */
export interface Weakness {
  readonly score: number;
  readonly covered: number;
}

export interface SearchHit {
  readonly tool: Tool;
  /** The score, which is comparable only within one outcome. */
  readonly score: number;
  readonly matchType: MatchType;
  /** The words of the query (as typed, in lower case) that this tool matched. */
  readonly terms: readonly string[];
  /** Set if the hit fits so much less than the best one that it is only named, not returned. */
  readonly weak?: Weakness;
  /** Set if the request asked for it and the strategy `bm25` ran. */
  readonly parts?: ScoreParts;
}

/** A refused search, for the model: the mistake, and what to write instead. */
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
  /** The reason for this strategy, if `auto` chose it or another strategy failed. */
  readonly why?: string;
  /** One sentence for each reader if a registered strategy failed and another one answered. */
  readonly warning?: { readonly user: string; readonly model: string };
  /** The hits, best first: at most `limit`, or `namedLimit` for hits that the query names. */
  readonly hits: readonly SearchHit[];
  /** The next hits after these: weak ones, and a few that the limit cut off. */
  readonly below: readonly SearchHit[];
  /** The number of candidates that matched. */
  readonly matched: number;
  /** The number of candidates that were searched. */
  readonly searched: number;
  /** Names that no candidate has, from `select:` or from a query that only lists names. */
  readonly missing?: readonly string[];
  /** Words of the query, in lower case, that no tool of the catalog has, nor a synonym or another form of them. */
  readonly unknown?: readonly string[];
  /** If nothing matched, one sentence for the model on what to write instead. */
  readonly hint?: string;
  /** Names similar to the query if nothing matched, or similar to the missing names. */
  readonly nearest: readonly string[];
  readonly ms: number;
}

export type SearchOutcome =
  | SearchSuccess
  | { readonly ok: false; readonly strategy: string; readonly error: SearchError; readonly ms: number };

/** Searches the newest catalog that it got. Never rejects: if the signal aborts, the outcome is an error. */
export interface SearchPort {
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome>;
}
