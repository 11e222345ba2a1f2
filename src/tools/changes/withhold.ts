// Withholds tools that their servers changed, until the user accepts them.

import { type Catalog, createCatalog } from '../../core/catalog/catalog';
import type { Tool } from '../../core/catalog/tool';
import { withheldWords } from '../../core/planning/withheld';
import { type ToolRun, toolMessage } from '../../core/ports';
import type { ChangedTool } from './seenTools';

/** Returns the catalog without the changed tools, which are in its `withheld`. */
export function withhold(catalog: Catalog, changed: readonly ChangedTool[]): Catalog {
  if (changed.length === 0) return catalog;
  const ids = new Set(changed.map(({ id }) => id));
  const kept = catalog.tools.filter(({ id }) => !ids.has(id));
  const left = catalog.tools.filter(({ id }) => ids.has(id)).map((tool) => [tool.invokeName, tool] as const);
  return { ...catalog, ...createCatalog(catalog.revision, kept, catalog.servers), withheld: new Map(left) };
}

/**
 * Returns why a tool must not be called: the user hasn't accepted its current definition. Undefined if it may be
 * called. A planned round, a running script or a conversation may still have a tool that is now withheld.
 */
export function withheldRefusal(tool: Tool, { withheld }: Catalog): ToolRun | undefined {
  return withheld?.has(tool.invokeName) ? toolMessage('refused', withheldWords(tool)) : undefined;
}
