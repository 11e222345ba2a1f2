import { type IndexView, listed, mentioned, type StrategyRequest, type StrategyResult, sorted } from './indexView';

/** The strategy `exact` looks at names only: first come tools whose name is the query, then those that it mentions. */
export function exact(view: IndexView, { query, accept }: StrategyRequest): StrategyResult {
  const slots = new Set([...sorted(view, view.names.find(query.text)), ...mentioned(view, query.text).flat()]);
  return listed(view, [...slots].filter(accept), 'exact');
}

/** Answers `select:a,b`: returns exactly these tools, in this order. */
export function select(view: IndexView, names: readonly string[], { accept }: StrategyRequest): StrategyResult {
  const slots = new Set(names.flatMap((name) => sorted(view, view.names.find(name).filter(accept))));
  return listed(view, slots, 'select');
}
