import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { readQueries, readTools } from '../../../bench/data';
import { makeTool } from './makeTool';

const BENCH = join(import.meta.dirname, '../../../bench');

it.each([2_000, 10_000])('a description of %i characters of others’ words takes over no search', (length) => {
  const tools = readTools(join(BENCH, 'tools.jsonl'));
  const queries = readQueries(join(BENCH, 'queries.jsonl'));
  const words = tools.map(({ name }) => name.replaceAll('_', ' ')).join(' ');
  const stuffed = makeTool('evil', 'helper', words.repeat(Math.ceil(length / words.length)).slice(0, length));
  const index = new ToolIndex([...tools, stuffed]);
  const ranks = queries.map(({ query }) => {
    const outcome = index.search({ query, strategy: 'bm25', limit: 5 });
    return outcome.ok ? outcome.hits.findIndex(({ tool }) => tool.id === stuffed.id) : -1;
  });
  expect(ranks.filter((rank) => rank === 0)).toEqual([]);
  // SQLite FTS5 has it among five 21 times.
  expect(ranks.filter((rank) => rank >= 0).length).toBeLessThanOrEqual(28);
});
