import { expect, it } from 'vitest';
import { searchIn } from '../../../../src/core/search/searchIn';
import { searchOver } from '../../../../src/core/search/searchOver';
import { makeCatalog } from '../turn/world';
import { makeTool } from './makeTool';

/** The first tool's model name is its own name, as with tools of VS Code. */
const TOOLS = [
  { ...makeTool('math', 'sum', 'Adds numbers'), modelName: 'sum' },
  makeTool('math', 'add_more', 'Adds numbers'),
];
const never = new AbortController().signal;

it('a search answers with the shown tools, and with their names', async () => {
  const { port } = searchOver(TOOLS, async () => {});
  const shown = makeCatalog(TOOLS.slice(0, 1).map((tool) => ({ ...tool, modelName: 'mcp_sum' })));
  const search = (query: string, strategy: 'bm25' | 'exact', server?: string) =>
    searchIn(
      port,
      () => makeCatalog(TOOLS),
      () => shown,
    ).search({ query, strategy, limit: 5, ...(server ? { server } : {}) }, never);
  const found = await search('adds numbers', 'bm25');
  expect(found.ok && found.hits.map(({ tool }) => tool.modelName)).toEqual(['mcp_sum']);
  expect(await search('add_mor', 'exact')).toMatchObject({ nearest: ['add_more'] });
  expect(await search('summ', 'exact')).toMatchObject({ ok: true, hits: [], nearest: ['mcp_sum'] });
  expect(await search('adds', 'bm25', 'other')).toMatchObject({ ok: false });
});
