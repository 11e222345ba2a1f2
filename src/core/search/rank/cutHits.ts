import { compareText, type Tool } from '../../catalog/tool';
import { nearestNames } from '../query/nearest';
import type { SearchError, SearchHit, SearchOutcome, SearchRequest, SearchSuccess } from '../types';

/** How many hits beyond the limit are kept for the inspector. */
export const BELOW = 5;
/** How many near names are suggested. */
const NEAREST = 5;

/** How many hits a request asks for: a whole number, at least 1, whatever was sent. */
export function limitOf(request: SearchRequest): number {
  return Math.max(1, Math.floor(request.limit) || 1);
}

/** The order of tools that a ranking can't tell apart; it doesn't depend on the order of servers. */
export function compareTools(a: Tool, b: Tool): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}

/**
 * The hits of an outcome: tools that the query names first, then new ones, then those that were discovered before, each in
 * the order given; cut to the limit. Weak ones come after all others and aren't among the hits; see {@link SearchSuccess.below}.
 */
export function cutHits(request: SearchRequest, hits: readonly SearchHit[]): Pick<SearchSuccess, 'hits' | 'below'> {
  const tierOf = ({ tool, matchType, weak }: SearchHit) =>
    weak ? 3 : matchType === 'exact_name' || matchType === 'select' ? 0 : request.discovered?.has(tool.id) ? 2 : 1;
  const tiers: SearchHit[][] = [[], [], [], []];
  for (const hit of hits) tiers[tierOf(hit)]?.push(hit);
  const ordered = tiers.flat();
  const limit = limitOf(request);
  const returned = Math.min(limit, ordered.length - (tiers[3] ?? []).length);
  return { hits: ordered.slice(0, returned), below: ordered.slice(returned, limit + BELOW) };
}

/** The hits that the limit has room for and that were left out since they are weak, best first. */
export function weaker(outcome: SearchOutcome, limit: number): readonly SearchHit[] {
  return outcome.ok ? outcome.below.slice(0, Math.max(0, limit - outcome.hits.length)).filter((hit) => hit.weak) : [];
}

/** Names of `tools` near a text, for a search that found too little. */
export function nearestTools(text: string, tools: readonly Tool[]): string[] {
  return nearestNames(
    text,
    tools.map((tool) => tool.name),
    NEAREST,
  );
}

/** The error for a strategy that doesn't exist, which names those that do. */
export function unknownStrategy(name: string, alternatives: readonly string[]): SearchError {
  return {
    code: 'unknown_strategy',
    message: `There is no search strategy named "${name}". Use one of: ${alternatives.join(', ')}.`,
  };
}

/** The error for a server that has no tools in the index, which names near ones. */
export function unknownServer(name: string, servers: readonly string[]): SearchError {
  const near = nearestNames(name, servers, NEAREST);
  const shown = near.length > 0 ? near : [...servers].sort(compareText).slice(0, 10);
  const help =
    shown.length > 0
      ? `${near.length > 0 ? 'Nearest' : 'There are'}: ${shown.join(', ')}. Name one of them, or leave "server" out.`
      : 'No server has any.';
  return { code: 'unknown_server', message: `No server named "${name}" has tools to search. ${help}` };
}
