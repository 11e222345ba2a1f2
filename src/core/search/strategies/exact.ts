import { type IndexView, listed, mentioned, type StrategyRequest, type StrategyResult, sorted } from './indexView';

/** Names alone: the tools whose name the query is, then those that it names anywhere. */
export function exact(shelf: IndexView, { query, accept }: StrategyRequest): StrategyResult {
  const slots = new Set([...sorted(shelf, shelf.names.find(query.text)), ...mentioned(shelf, query.text).flat()]);
  return listed(shelf, [...slots].filter(accept), 'exact');
}

/** `select:a,b`: exactly these names, in this order. */
export function select(shelf: IndexView, names: readonly string[], { accept }: StrategyRequest): StrategyResult {
  const slots = new Set(names.flatMap((name) => sorted(shelf, shelf.names.find(name).filter(accept))));
  return listed(shelf, slots, 'select');
}
