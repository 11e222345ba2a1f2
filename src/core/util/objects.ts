/** Whether an unknown value is an object with fields, not an array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the input if it is an object, or the object in a JSON text; undefined otherwise. */
export function asObject(input: unknown): { readonly [key: string]: unknown } | undefined {
  const value = typeof input === 'string' ? parseJson(input) : input;
  return isObject(value) ? value : undefined;
}

/** Parses a JSON text. Returns undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The maximum depth, in levels, of a value walked by recursion. A deeper one from outside may overflow the stack. */
export const MAX_LEVELS = 500;

/** Whether a value is nested deeper than {@link MAX_LEVELS}. Walks the value level by level, without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_LEVELS; depth++) {
    const next: unknown[] = [];
    for (const each of level)
      if (typeof each === 'object' && each !== null) for (const part of Object.values(each)) next.push(part);
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

/** Replaces a value that nests too deeply. */
export const TOO_DEEP = '[A part that nests too deeply was left out.]';

/** Returns a value that was received as JSON as text. It may nest too deeply for `JSON.stringify`. */
export function jsonText(value: unknown): string {
  return isTooDeep(value) ? TOO_DEEP : (JSON.stringify(value) ?? '');
}

/**
 * Returns the size of a JSON value: the characters of its texts and names, and one for each of its parts. Stops counting
 * above `max`. Doesn't use recursion, because the value may be too deep for it.
 */
export function sizeOf(value: unknown, max: number): number {
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0 && size <= max) {
    const next = waiting.pop();
    size += typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null) continue;
    const isList = Array.isArray(next);
    for (const [name, part] of Object.entries(next)) {
      if (!isList) size += name.length;
      waiting.push(part);
    }
  }
  return size;
}
