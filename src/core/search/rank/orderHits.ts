import { compareText, type Tool } from '../../catalog/tool';
import { firstNames } from '../../util/firstNames';
import { nearestNames } from '../query/nearest';
import type { SearchError, SearchHit, SearchRequest, SearchSuccess } from '../types';

// Orders and cuts the hits of a search, and writes its error messages.

/** The number of hits beyond the limit that the inspector shows. */
const BELOW = 5;
/** The number of similar names that are suggested. */
const NEAREST = 5;

/** Returns the number of hits that a request asks for, corrected to a whole number of at least 1. */
function limitOf(request: SearchRequest): number {
  return Math.max(1, Math.floor(request.limit) || 1);
}

/** Returns the number of hits that a search returns with those below its limit. */
export function roomOf(request: SearchRequest, limit = limitOf(request)): number {
  return Math.max(limit + BELOW, request.shown ?? 0);
}

/** Whether the query names the tool of a hit. */
export function isNamed({ matchType }: SearchHit): boolean {
  return matchType === 'exact_name' || matchType === 'select' || matchType === 'exact';
}

/** Compares tools with equal scores. The result doesn't depend on the order of servers. */
export function compareTools(a: Tool, b: Tool): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}

/**
 * Returns a search's hits, cut to the limit: first tools that the query names, then new tools, then tools discovered
 * before, each group in its given order. Weak hits are left out; see {@link SearchSuccess.below}.
 */
export function cutHits(request: SearchRequest, hits: readonly SearchHit[]): Pick<SearchSuccess, 'hits' | 'below'> {
  const tierOf = ({ tool, matchType, weak }: SearchHit) =>
    weak ? 3 : matchType === 'exact_name' || matchType === 'select' ? 0 : request.discovered?.has(tool.id) ? 2 : 1;
  const tiers: SearchHit[][] = [[], [], [], []];
  for (const hit of hits) tiers[tierOf(hit)]?.push(hit);
  const ordered = tiers.flat();
  const named = Math.min(request.namedLimit ?? 0, hits.filter(isNamed).length);
  const limit = Math.max(limitOf(request), named);
  const returned = Math.min(limit, ordered.length - (tiers[3] ?? []).length);
  return { hits: ordered.slice(0, returned), below: ordered.slice(returned, roomOf(request, limit)) };
}

/** Returns the model names of tools whose names are similar to a text, for a search that found too little. */
export function nearestTools(text: string, tools: readonly Tool[]): string[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool.modelName]));
  return nearestNames(text, byName.keys(), NEAREST).map((name) => byName.get(name) ?? name);
}

/** Returns the error for an unknown strategy. It lists the existing ones. */
export function unknownStrategy(name: string, alternatives: readonly string[]): SearchError {
  return {
    code: 'unknown_strategy',
    message: `There is no search strategy named "${name}". Use one of: ${alternatives.join(', ')}.`,
  };
}

/** Returns the error for a server without tools in the index. It lists servers with similar names. */
export function unknownServer(name: string, servers: readonly string[]): SearchError {
  const near = nearestNames(name, servers, NEAREST);
  const all = near.length > 0 ? near : [...servers].sort(compareText);
  const help =
    all.length > 0
      ? `${near.length > 0 ? 'Nearest' : 'There are'}: ${firstNames(all, 20)}. Name one of them, or leave "server" out.`
      : 'No server has any.';
  return { code: 'unknown_server', message: `No server named "${name}" has tools to search. ${help}` };
}
