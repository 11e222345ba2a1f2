import { type Catalog, createCatalog } from '../../core/catalog/catalog';
import { l10n } from '../../core/util/l10n';
import { memoize } from '../../core/util/memoize';
import type { ToolLoading } from '../protocol/inputs';

/**
 * Returns a function that adds the tools that are withheld from models until the user accepts their change. The same
 * inputs give the same objects.
 */
export function withWithheld() {
  const shown = memoize<Catalog>();
  const standing = memoize<ReadonlyMap<string, ToolLoading>>();
  return (catalog: Catalog, loading: ReadonlyMap<string, ToolLoading>) => {
    if (!catalog.withheld) return { catalog, loading };
    const tools = [...catalog.withheld.values()];
    return {
      catalog: shown([catalog], () => createCatalog(catalog.revision, [...catalog.tools, ...tools], catalog.servers)),
      loading: standing([catalog, loading], () => {
        const reason = l10n.t('changed');
        const reasonLong = l10n.t(
          'The tool changed after you accepted it, so it isn’t sent to models and can’t be called (toolsearch.changedTools). Accept the change above.',
        );
        const withheld: ToolLoading = { loading: 'omitted', reason, reasonLong };
        return new Map([...loading, ...tools.map(({ id }) => [id, withheld] as const)]);
      }),
    };
  };
}
