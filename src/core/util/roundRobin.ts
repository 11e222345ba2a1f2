/** Yields the items of several lists, each with its list's index: all first items, then all second ones, and so on. */
export function* roundRobin<Item>(
  lists: readonly (readonly Item[])[],
): Generator<{ readonly list: number; readonly item: Item }> {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  for (let at = 0; at < longest; at++) {
    for (const [list, items] of lists.entries()) if (at < items.length) yield { list, item: items[at] as Item };
  }
}
