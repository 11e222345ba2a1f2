import type { Catalog } from '../catalog/catalog';
import type { SearchHit, SearchPort } from './types';

/**
 * Searches the index, and answers with the tools of another catalog that have the same ids: those that an agent brings,
 * under its names, or those that other extensions changed.
 * @param known the catalog that is indexed
 */
export function searchIn(search: SearchPort, known: () => Catalog, shown: () => Catalog): SearchPort {
  const toolsOf = (hits: readonly SearchHit[]) =>
    hits.flatMap((hit) => {
      const tool = shown().byId.get(hit.tool.id);
      return tool ? [{ ...hit, tool }] : [];
    });
  const nameOf = (name: string) => shown().byId.get(known().byModelName.get(name)?.id ?? '')?.modelName ?? name;
  return {
    async search(request, signal) {
      const outcome = await search.search(request, signal);
      if (!outcome.ok) return outcome;
      const { hits, below, nearest } = outcome;
      return { ...outcome, hits: toolsOf(hits), below: toolsOf(below), nearest: nearest.map(nameOf) };
    },
  };
}
