import type { Tool } from '../../catalog/tool';
import type { NameTable } from '../query/namesInQuery';
import type { ParsedQuery } from '../query/parseQuery';
import type { Accept, Bm25Index } from '../rank/bm25Index';
import { compareTools } from '../rank/orderHits';
import type { SearchError, SearchHit, SearchRequest } from '../types';

/** The part of an index that a strategy uses: its tools, each in its slot. */
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
  /** The words of the query that no tool of the index has in any form. */
  readonly unknown?: readonly string[];
  /** If nothing matched, one sentence for the model on what to write instead. */
  readonly hint?: string;
}

/** A function that finds tools. It returns an error if the query is invalid. */
export type Strategy = (view: IndexView, asked: StrategyRequest) => StrategyResult | SearchError;

/** Sorts slots by tool, in the order used for equal scores. */
export function sorted({ ranking }: IndexView, slots: Iterable<number>): number[] {
  return [...slots].sort((a, b) => compareTools(ranking.toolAt(a), ranking.toolAt(b)));
}

/** Returns the tools in these slots. */
export function toolsAt({ ranking }: IndexView, slots: readonly number[]): Tool[] {
  return slots.map((slot) => ranking.toolAt(slot));
}

/** Returns the slots of the tools that the text names: one group for each name, ordered by id. */
export function mentioned(view: IndexView, text: string): number[][] {
  return view.names.mentioned(text).map((group) => sorted(view, group));
}

/** Returns a function that accepts slots that may be found and contain every `+word` of the query. */
export function accepting({ ranking }: IndexView, { query, accept }: StrategyRequest): Accept {
  if (query.must.length === 0) return accept;
  const contains = query.must.map((word) => ranking.containing(word));
  return (slot) => accept(slot) && contains.every((has) => has(slot));
}
