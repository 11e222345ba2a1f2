const encoder = new TextEncoder();

/** Returns the number of bytes of a value's JSON, which is its size in a message. */
export function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? '').length;
}

/** Returns the beginning of a text, so that it takes at most this number of bytes in a message. */
export function cutBytes(text: string, bytes: number): string {
  // A character takes at least one byte, so the text beyond this position never fits.
  let end = Math.min(text.length, bytes);
  for (let taken = bytesOf(text.slice(0, end)); taken > bytes; taken = bytesOf(text.slice(0, end))) {
    end = Math.floor((end * bytes * 0.95) / taken);
  }
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

/** Returns the first items that together take at most this number of bytes in a message. Returns at least one item. */
export function firstOf<Item>(items: readonly Item[], bytes: number): readonly Item[] {
  let taken = 0;
  const end = items.findIndex((item, index) => {
    taken += bytesOf(item) + 1;
    return taken > bytes && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}
