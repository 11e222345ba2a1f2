import { cut } from '../util/cut';

/** The maximum number of characters of an event's text, by field. Models, clients and servers write these texts. */
const MAX_TEXT: { readonly [field: string]: number } = { prompt: 20_000, code: 20_000, query: 1_000 };
const MAX_OTHER_TEXT = 4_000;
/** The maximum number of items of a list in an event. */
const MAX_ITEMS = 1_000;

/** Returns the entry with bounded texts and lists. It is the same object if nothing is too long. */
export function boundedEntry<Value>(value: Value, field = ''): Value {
  if (typeof value === 'string') return cut(value, MAX_TEXT[field] ?? MAX_OTHER_TEXT) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const items = Array.isArray(value) ? entries.slice(0, MAX_ITEMS) : entries;
  const bounded = items.map(([name, part]) => [name, boundedEntry(part, name)] as const);
  if (bounded.length === entries.length && bounded.every(([, part], index) => part === items[index]?.[1])) return value;
  return (Array.isArray(value) ? bounded.map(([, part]) => part) : Object.fromEntries(bounded)) as Value;
}
