import type { Catalog } from '../catalog/catalog';
import type { Transcript } from '../conversation/transcript';

/**
 * The discovered tools of a conversation, first found first: read anew from the transcript each round, so that the
 * state can't disagree with what the model has seen. What today's catalog doesn't hold is left out.
 */
export function discoveredIds(transcript: Transcript, catalog: Catalog): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of transcript) {
    if (item.kind === 'assistant')
      for (const id of item.searches?.flatMap((search) => search.found) ?? []) if (catalog.byId.has(id)) ids.add(id);
    if (item.kind !== 'results') continue;
    for (const result of item.results) {
      for (const id of result.search?.found ?? []) if (catalog.byId.has(id)) ids.add(id);
      if (result.loaded !== undefined && catalog.byId.has(result.loaded)) ids.add(result.loaded);
    }
  }
  return ids;
}
