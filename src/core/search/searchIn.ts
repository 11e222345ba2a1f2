import type { Catalog } from '../catalog/catalog';
import type { SearchHit, SearchPort } from './types';

/**
 * Returns a search over the index whose hits are tools of another catalog with the same ids: the tools that an agent
 * brings, under its own names.
 * @param known the catalog that is indexed
 */
export function searchIn(search: SearchPort, known: Catalog, shown: Catalog): SearchPort {
  const toolsOf = (hits: readonly SearchHit[]) =>
    hits.flatMap((hit) => {
      const tool = shown.byId.get(hit.tool.id);
      return tool ? [{ ...hit, tool }] : [];
    });
  const nameOf = (name: string) => shown.byId.get(known.byModelName.get(name)?.id ?? '')?.modelName ?? name;
  return {
    async search(request, signal) {
      const outcome = await search.search(request, signal);
      if (!outcome.ok) return outcome;
      const { hits, below, nearest } = outcome;
      return { ...outcome, hits: toolsOf(hits), below: toolsOf(below), nearest: nearest.map(nameOf) };
    },
  };
}
