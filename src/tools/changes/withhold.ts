// Withholds tools that their servers changed, until the user accepts them.

import { type Catalog, createCatalog } from '../../core/catalog/catalog';
import type { ChangedTool } from './seenTools';

/** Returns the catalog without the changed tools, which are in its `withheld`. */
export function withhold(catalog: Catalog, changed: readonly ChangedTool[]): Catalog {
  if (changed.length === 0) return catalog;
  const ids = new Set(changed.map(({ id }) => id));
  const kept = catalog.tools.filter(({ id }) => !ids.has(id));
  const left = catalog.tools.filter(({ id }) => ids.has(id)).map((tool) => [tool.invokeName, tool] as const);
  return { ...catalog, ...createCatalog(catalog.revision, kept, catalog.servers), withheld: new Map(left) };
}
