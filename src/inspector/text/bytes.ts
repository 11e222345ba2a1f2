const encoder = new TextEncoder();

/** Bytes of a value's JSON: what it takes in a message. */
export function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? '').length;
}

/** The beginning of a text that takes at most so many bytes in a message. */
export function cutBytes(text: string, bytes: number): string {
  // A character takes a byte or more, so what is beyond is never looked at.
  let end = Math.min(text.length, bytes);
  for (let taken = bytesOf(text.slice(0, end)); taken > bytes; taken = bytesOf(text.slice(0, end))) {
    end = Math.floor((end * bytes * 0.95) / taken);
  }
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

/** The first of a list that take at most so many bytes in a message; at least one of them. */
export function firstOf<Item>(items: readonly Item[], bytes: number): readonly Item[] {
  let taken = 0;
  const end = items.findIndex((item, index) => {
    taken += bytesOf(item) + 1;
    return taken > bytes && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}
