import type { SearchError } from '../types';

/** The maximum length of a query, in characters. */
export const MAX_QUERY = 1_000;

/** Returns an error for a text that would block the extension host, from a model, a script or a client alike. */
export function problemOfLength(texts: readonly string[]): SearchError | undefined {
  const length = Math.max(...texts.map((text) => text.length));
  if (length <= MAX_QUERY) return undefined;
  const [given, most] = [length.toLocaleString('en'), MAX_QUERY.toLocaleString('en')];
  return {
    code: 'query_too_long',
    message: `A query has ${given} characters, more than ${most}. Name what the tool should do in a few words.`,
  };
}
