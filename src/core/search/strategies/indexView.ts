import type { Tool } from '../../catalog/tool';
import type { NameTable } from '../query/names';
import type { ParsedQuery } from '../query/query';
import type { Accept, Bm25Index } from '../rank/bm25';
import { compareTools } from '../rank/cutHits';
import type { MatchType, SearchError, SearchHit, SearchRequest } from '../types';

/** A strategy's view of an index: its tools, each in its slot. */
export interface IndexView {
  readonly ranking: Bm25Index;
  readonly names: NameTable<number>;
  /** All slots in use, in no particular order. */
  slots(): number[];
}

/** A request to a strategy. */
export interface StrategyRequest {
  readonly request: SearchRequest;
  readonly query: ParsedQuery;
  /** The slots that may be found. */
  readonly accept: Accept;
}

/** The hits of a strategy, best first and not yet cut. */
export interface StrategyResult {
  readonly hits: readonly SearchHit[];
  readonly matched: number;
  /** Advice on what to write instead if nothing matched: one sentence for the model. */
  readonly hint?: string;
}

/** A way to find tools. It may return an error in the query instead. */
export type Strategy = (shelf: IndexView, asked: StrategyRequest) => StrategyResult | SearchError;

/** Sorts slots in the order of tools that a ranking can't tell apart. */
export function sorted({ ranking }: IndexView, slots: Iterable<number>): number[] {
  return [...slots].sort((a, b) => compareTools(ranking.toolAt(a), ranking.toolAt(b)));
}

/** Returns the tools of some slots. */
export function toolsAt({ ranking }: IndexView, slots: readonly number[]): Tool[] {
  return slots.map((slot) => ranking.toolAt(slot));
}

/** Returns the slots of tools that the text names: one group for each name, in the order of their ids. */
export function mentioned(shelf: IndexView, text: string): number[][] {
  return shelf.names.mentioned(text).map((group) => sorted(shelf, group));
}

/** Returns a test for slots that may be found and contain every `+word` of the query. */
export function accepting({ ranking }: IndexView, { query, accept }: StrategyRequest): Accept {
  if (query.must.length === 0) return accept;
  const contains = query.must.map((word) => ranking.containing(word));
  return (slot) => accept(slot) && contains.every((has) => has(slot));
}

/** Returns hits without a rank of their own. */
export function listed(shelf: IndexView, slots: Iterable<number>, matchType: MatchType): StrategyResult {
  const hits = toolsAt(shelf, [...slots]).map((tool): SearchHit => ({ tool, score: 1, matchType, terms: [] }));
  return { hits, matched: hits.length };
}
