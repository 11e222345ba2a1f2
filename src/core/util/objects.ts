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

/**
 * The maximum depth of a value that is walked by recursion, in levels. Untrusted values may be deep enough to overflow
 * the stack.
 */
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
