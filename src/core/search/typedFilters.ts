import type { Tool } from '../catalog/tool';
import { squash } from './text/words';

const FILTERS = /(?<!\S)(?:@(\S*)|is:(readonly))(?!\S)/giu;

/**
 * Reads `@server` and `is:readonly` in a text that a person typed. Returns the filters, whether `is:readonly` is one of
 * them, the other words, and a function that tells whether a tool passes. `@server` passes tools of servers whose names
 * begin with that text, `is:readonly` tools that declare themselves read-only.
 */
export function readTypedFilters(typed: string) {
  const filters = [...typed.matchAll(FILTERS)];
  const servers = filters.flatMap(([, server]) => (server === undefined ? [] : [squash(server)]));
  const readOnly = filters.some(([, , only]) => only !== undefined);
  return {
    filters: filters.map(([filter]) => filter).join(' '),
    readOnly,
    text: typed.replace(FILTERS, ' '),
    passes: (tool: Tool) =>
      (!readOnly || tool.annotations?.readOnlyHint === true) &&
      (servers.length === 0 || servers.some((server) => squash(tool.server).startsWith(server))),
  };
}
