import { type Catalog, createCatalog } from '../../core/catalog/catalog';
import { l10n } from '../../core/util/l10n';
import { memoize } from '../../core/util/memoize';
import type { ToolLoading } from '../protocol/inputs';

/** The loading of a tool that is withheld from models until the user accepts its change. */
const withheldLoading = (): ToolLoading => ({
  loading: 'omitted',
  reason: l10n.t('changed'),
  reasonLong: l10n.t(
    'The tool changed after you accepted it, so it isn’t sent to models and can’t be called (toolsearch.changedTools). Accept the change above.',
  ),
});

/** Returns a function that adds the withheld tools to the catalog. The same inputs give the same objects. */
export function withWithheld(): (
  catalog: Catalog,
  loading: ReadonlyMap<string, ToolLoading>,
) => { readonly catalog: Catalog; readonly loading: ReadonlyMap<string, ToolLoading> } {
  const shown = memoize<Catalog>();
  const standing = memoize<ReadonlyMap<string, ToolLoading>>();
  return (catalog, loading) => {
    if (!catalog.withheld) return { catalog, loading };
    const tools = [...catalog.withheld.values()];
    return {
      catalog: shown([catalog], () => createCatalog(catalog.revision, [...catalog.tools, ...tools], catalog.servers)),
      loading: standing([catalog, loading], () => {
        const withheld = withheldLoading();
        return new Map([...loading, ...tools.map(({ id }) => [id, withheld] as const)]);
      }),
    };
  };
}
