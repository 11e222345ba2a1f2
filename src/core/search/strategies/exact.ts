import { type IndexView, listed, mentioned, type StrategyRequest, type StrategyResult, sorted } from './indexView';

/**
 * The strategy `exact`: searches names only. First come tools whose name is the query, then tools that the query names
 * anywhere.
 */
export function exact(shelf: IndexView, { query, accept }: StrategyRequest): StrategyResult {
  const slots = new Set([...sorted(shelf, shelf.names.find(query.text)), ...mentioned(shelf, query.text).flat()]);
  return listed(shelf, [...slots].filter(accept), 'exact');
}

/** Answers `select:a,b`: returns exactly these tools, in this order. */
export function select(shelf: IndexView, names: readonly string[], { accept }: StrategyRequest): StrategyResult {
  const slots = new Set(names.flatMap((name) => sorted(shelf, shelf.names.find(name).filter(accept))));
  return listed(shelf, slots, 'select');
}
