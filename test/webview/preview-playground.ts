import { createSearchPort } from '../../src/core/search/searchPort';
import { StrategyRegistry } from '../../src/core/search/strategies/registry';
import { ToolIndex } from '../../src/core/search/toolIndex';
import { Playground } from '../../src/inspector/playground/playground';
import { fixtureTools } from './fixture';

/** The real playground over the invented tools, with two strategies of other extensions, one of which fails. */
export function previewPlayground(): Playground {
  const tools = fixtureTools();
  const registry = new StrategyRegistry();
  registry.register('newest', () => ['forge/create_issue', 'forge/list_issue']);
  registry.register('vectors', () => {
    throw new Error('the model isn’t loaded');
  });
  const index = new ToolIndex(tools);
  return new Playground({
    search: createSearchPort(index, registry),
    tool: (id) => tools.find((tool) => tool.id === id),
    candidates: () => new Set(tools.map((tool) => tool.id)),
    settings: () => ({ strategy: 'auto', maxResults: 5 }),
    registered: () => registry.names(),
  });
}
