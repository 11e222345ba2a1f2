import type { Tool } from '../../catalog/tool';
import type { NameTable } from '../query/names';
import type { ParsedQuery } from '../query/query';
import type { Accept, Bm25Index } from '../rank/bm25';
import { compareTools } from '../rank/cutHits';
import type { MatchType, SearchError, SearchHit, SearchRequest } from '../types';

/** The tools of an index as a strategy looks into them, each in its slot. */
export interface IndexView {
  readonly ranking: Bm25Index;
  readonly names: NameTable<number>;
  /** All slots in use, in no particular order. */
  slots(): number[];
}

/** What a strategy is asked. */
export interface StrategyRequest {
  readonly request: SearchRequest;
  readonly query: ParsedQuery;
  /** Which slots may be found. */
  readonly accept: Accept;
}

/** What a strategy found, best first and not yet cut. */
export interface StrategyResult {
  readonly hits: readonly SearchHit[];
  readonly matched: number;
  /** What to write instead where nothing matched, one sentence for the model. */
  readonly hint?: string;
}

/** A way to find tools. It may say what is wrong with the query instead. */
export type Strategy = (shelf: IndexView, asked: StrategyRequest) => StrategyResult | SearchError;

/** Slots in the order of tools that a ranking can't tell apart. */
export function sorted({ ranking }: IndexView, slots: Iterable<number>): number[] {
  return [...slots].sort((a, b) => compareTools(ranking.toolAt(a), ranking.toolAt(b)));
}

/** The tools of some slots. */
export function toolsAt({ ranking }: IndexView, slots: readonly number[]): Tool[] {
  return slots.map((slot) => ranking.toolAt(slot));
}

/** Tools that the text names: a group for each name, in the order of their ids. */
export function mentioned(shelf: IndexView, text: string): number[][] {
  return shelf.names.mentioned(text).map((group) => sorted(shelf, group));
}

/** The slots that may be found and hold every `+word` of the query. */
export function accepting({ ranking }: IndexView, { query, accept }: StrategyRequest): Accept {
  if (query.must.length === 0) return accept;
  const contains = query.must.map((word) => ranking.containing(word));
  return (slot) => accept(slot) && contains.every((has) => has(slot));
}

/** Hits without a rank of their own. */
export function listed(shelf: IndexView, slots: Iterable<number>, matchType: MatchType): StrategyResult {
  const hits = toolsAt(shelf, [...slots]).map((tool): SearchHit => ({ tool, score: 1, matchType, terms: [] }));
  return { hits, matched: hits.length };
}
