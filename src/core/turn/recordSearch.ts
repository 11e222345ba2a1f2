// Records searches and discovered tools in the ledger.

import { type Catalog, missingServers } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import type { EntryOf, LedgerEntry, LoggedHit } from '../ledger/events';
import { serversInWords } from '../planning/guidance';
import { notSearchedWords } from '../planning/withheld';
import type { ProviderSearch } from '../ports';
import type { SearchHit, SearchOutcome } from '../search/types';
import type { TokenCounter } from '../usage/tokenCounter';
import { definitionsLength } from '../usage/tokens';

export interface SearchRecording {
  readonly round: number;
  readonly catalog: Catalog;
  readonly deferred: readonly Tool[];
  readonly counter: TokenCounter;
  readonly record: (entry: LedgerEntry) => void;
  readonly sink: { searching(queries: readonly string[]): void; found(tools: readonly Tool[]): void };
}

/** The match type of hits of a provider's own search, which doesn't report why a tool matched. */
const PROVIDER_MATCH = 'provider';

/** Returns the entry of a search without hits, as the base for other entries. */
export function searchEntry(
  callId: string,
  query: string,
  strategy: string,
  { round, deferred }: Pick<SearchRecording, 'round' | 'deferred'>,
) {
  return {
    type: 'searched' as const,
    round,
    callId,
    query,
    strategy,
    ms: 0,
    searched: deferred.length,
    matched: 0,
    limit: 0,
    hits: [],
    below: [],
    failed: false,
  };
}

/** Returns the ledger's entry for a search that our index or a registered strategy answered. */
export function searchedEntry(
  outcome: SearchOutcome,
  asked: {
    readonly callId: string;
    readonly query: string;
    readonly limit: number;
    readonly server?: string | undefined;
  },
  context: Pick<SearchRecording, 'round' | 'deferred' | 'catalog'>,
): EntryOf<'searched'> {
  const entry = {
    ...searchEntry(asked.callId, asked.query, outcome.strategy, context),
    ms: outcome.ms,
    limit: asked.limit,
    ...(asked.server ? { server: asked.server } : {}),
  };
  if (!outcome.ok) return { ...entry, note: outcome.error.message, failed: true };
  return {
    ...entry,
    searched: outcome.searched,
    matched: outcome.matched,
    hits: outcome.hits.map(loggedHit),
    below: outcome.below.map(loggedHit),
    ...(outcome.hits.length === 0 ? { note: nothingFound(outcome.searched, outcome.nearest, context.catalog) } : {}),
  };
}

/** Records a provider's own search with its hits. The provider reports neither scores nor the search's time. */
export function recordProviderSearch(search: ProviderSearch, found: Set<string>, context: SearchRecording): void {
  const tools = search.found
    .map((name) => context.catalog.byModelName.get(name))
    .filter((tool): tool is Tool => tool !== undefined);
  context.sink.searching(search.queries);
  context.record({
    ...searchEntry(search.callId, search.queries.join(', '), search.strategy, context),
    matched: tools.length,
    limit: tools.length,
    hits: tools.map((tool) => ({ id: tool.id, score: 0, matchType: PROVIDER_MATCH, terms: [] })),
    ...(search.error !== undefined
      ? { note: search.error, failed: true }
      : tools.length === 0
        ? { note: nothingFound(context.deferred.length, [], context.catalog) }
        : {}),
  });
  recordDiscovered(tools, found, context);
}

/** Records the tools that `found` doesn't contain yet, and adds them to it. */
export function recordDiscovered(
  tools: readonly Tool[],
  found: Set<string>,
  { round, counter, record, sink }: SearchRecording,
): void {
  const fresh = tools.filter((tool) => !found.has(tool.id));
  if (fresh.length === 0) return;
  for (const tool of fresh) found.add(tool.id);
  record({
    type: 'discovered',
    round,
    ids: fresh.map((tool) => tool.id),
    tokens: counter.estimate(definitionsLength(fresh)),
  });
  sink.found(fresh);
}

function nothingFound(searched: number, nearest: readonly string[], catalog: Catalog): string {
  return `No tools found among ${searched}.${nearest.length > 0 ? ` Nearest names: ${nearest.join(', ')}.` : ''}${unavailable(catalog)}`;
}

/** Returns sentences on the servers and withheld tools that no search can find now; empty if there are none. */
export function unavailable(catalog: Catalog): string {
  const missing = missingServers(catalog);
  const withheld = catalog.withheld?.size ?? 0;
  return `${missing.length > 0 ? ` Not searched: ${serversInWords(missing)}.` : ''}${withheld > 0 ? ` ${notSearchedWords(withheld)}` : ''}`;
}

function loggedHit(hit: SearchHit): LoggedHit {
  const { tool, score, matchType, terms, weak } = hit;
  return { id: tool.id, score, matchType, terms, ...(weak ? { weak } : {}) };
}
