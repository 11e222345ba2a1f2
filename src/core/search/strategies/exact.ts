import { type Asked, type Found, listed, mentioned, type Shelf, sorted } from './strategy';

/** Names alone: the tools whose name the query is, then those that it names anywhere. */
export function exact(shelf: Shelf, { query, accept }: Asked): Found {
  const slots = new Set([...sorted(shelf, shelf.names.find(query.text)), ...mentioned(shelf, query.text).flat()]);
  return listed(shelf, [...slots].filter(accept), 'exact');
}

/** `select:a,b`: exactly these names, in this order. */
export function select(shelf: Shelf, names: readonly string[], { accept }: Asked): Found {
  const slots = new Set(names.flatMap((name) => sorted(shelf, shelf.names.find(name).filter(accept))));
  return listed(shelf, slots, 'select');
}
