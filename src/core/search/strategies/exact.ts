import { type IndexView, listed, mentioned, type StrategyRequest, type StrategyResult, sorted } from './indexView';

/**
 * The strategy `exact`: searches names only. First come tools whose name is the query, then tools that the query names
 * anywhere.
 */
export function exact(view: IndexView, { query, accept }: StrategyRequest): StrategyResult {
  const slots = new Set([...sorted(view, view.names.find(query.text)), ...mentioned(view, query.text).flat()]);
  return listed(view, [...slots].filter(accept), 'exact');
}

/** Answers `select:a,b`: returns exactly these tools, in this order. */
export function select(view: IndexView, names: readonly string[], { accept }: StrategyRequest): StrategyResult {
  const slots = new Set(names.flatMap((name) => sorted(view, view.names.find(name).filter(accept))));
  return listed(view, slots, 'select');
}
