/** Whether a value from outside is an object with names, not an array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, also out of a JSON text; undefined for anything else. */
export function asObject(input: unknown): { readonly [key: string]: unknown } | undefined {
  let value = input;
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  return isObject(value) ? value : undefined;
}
