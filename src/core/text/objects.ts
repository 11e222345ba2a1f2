/** Whether a value from outside is an object with names, not an array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, also out of a JSON text; undefined for anything else. */
export function asObject(input: unknown): { readonly [key: string]: unknown } | undefined {
  const value = typeof input === 'string' ? parseJson(input) : input;
  return isObject(value) ? value : undefined;
}

/** What a JSON text says; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
