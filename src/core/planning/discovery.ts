import type { Catalog } from '../catalog/catalog';
import type { ToolDefinition } from '../catalog/tool';
import type { SearchRecord, Transcript, TranscriptItem } from '../conversation/transcript';

/** Returns the definitions of tools as they entered a conversation through a search or by joining it, by id. */
export function sentDefinitions(transcript: Transcript): ReadonlyMap<string, ToolDefinition> {
  const sent = new Map<string, ToolDefinition>();
  const add = (tools: readonly ToolDefinition[] = []) => {
    for (const tool of tools) if (!sent.has(tool.id)) sent.set(tool.id, tool);
  };
  for (const item of transcript) {
    if (item.kind === 'user') add(item.joined?.filter(({ declared }) => declared));
    else if (item.kind === 'assistant') for (const search of item.searches ?? []) add(search.definitions);
    else for (const { search } of item.results) add(search?.definitions);
  }
  return sent;
}

/** Returns an item with the definitions of the tools that its searches found first in this conversation. */
export function withDefinitions(
  item: TranscriptItem,
  before: Transcript,
  deferred: readonly ToolDefinition[],
): TranscriptItem {
  const known = new Set(sentDefinitions(before).keys());
  const byId = new Map(deferred.map((tool) => [tool.id, tool]));
  const complete = <Search extends SearchRecord>(search: Search): Search => {
    const definitions = search.found.filter((id) => !known.has(id)).flatMap((id) => byId.get(id) ?? []);
    for (const { id } of definitions) known.add(id);
    return definitions.length > 0 ? { ...search, definitions } : search;
  };
  if (item.kind === 'assistant' && item.searches) return { ...item, searches: item.searches.map(complete) };
  if (item.kind !== 'results' || !item.results.some(({ search }) => search)) return item;
  const results = item.results.map((result) =>
    result.search ? { ...result, search: complete(result.search) } : result,
  );
  return { ...item, results };
}

/**
 * Returns the ids of a conversation's discovered tools in their order, without tools that the catalog no longer has.
 * Each round reads them from the transcript again, so that they can't disagree with what the model has seen.
 */
export function discoveredIds(transcript: Transcript, catalog: Catalog): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of transcript) for (const id of foundIn(item)) if (catalog.byId.has(id)) ids.add(id);
  return ids;
}

/** Returns the queries of a conversation's searches, in lower case. */
export function searchedQueries(transcript: Transcript): ReadonlySet<string> {
  const searches = transcript.flatMap((item) =>
    item.kind === 'results' ? item.results.flatMap(({ search }) => search?.queries ?? []) : [],
  );
  return new Set(searches.map((query) => query.toLowerCase()));
}

function foundIn(item: TranscriptItem): readonly string[] {
  if (item.kind === 'assistant') return item.searches?.flatMap(({ found }) => found) ?? [];
  if (item.kind === 'user') return [];
  return item.results.flatMap(({ search, loaded = [] }) => [...(search?.found ?? []), ...[loaded].flat()]);
}
