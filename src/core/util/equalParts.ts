/** Splits a list into as few parts as possible, all of about the same size and with at most `most` items. */
export function equalParts<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / most);
  const size = Math.ceil(items.length / Math.max(1, count));
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
