import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { readQueries, readTools } from '../../../bench/data';
import { makeTool } from './makeTool';

const BENCH = join(import.meta.dirname, '../../../bench');

const TOOLS = readTools(join(BENCH, 'tools.jsonl'));
const QUERIES = readQueries(join(BENCH, 'queries.jsonl'));

/** The ranks of a stuffed tool among five, for each query; -1 if it isn't there. */
function ranksOf(stuffed: Tool, words: readonly string[] = []): readonly number[] {
  const index = new ToolIndex([...TOOLS, stuffed], ({ id }) => (id === stuffed.id ? { en: words } : undefined));
  return QUERIES.map(({ query }) => {
    const outcome = index.search({ query, strategy: 'bm25', limit: 5 });
    return outcome.ok ? outcome.hits.findIndex(({ tool }) => tool.id === stuffed.id) : -1;
  });
}

const found = (ranks: readonly number[]) => ranks.filter((rank) => rank >= 0).length;

it.each([2_000, 10_000])('a description of %i characters of others’ words takes over no search', (length) => {
  const words = TOOLS.map(({ name }) => name.replaceAll('_', ' ')).join(' ');
  const ranks = ranksOf(makeTool('evil', 'helper', words.repeat(Math.ceil(length / words.length)).slice(0, length)));
  expect(ranks.filter((rank) => rank === 0)).toEqual([]);
  // SQLite FTS5 has it among five 21 to 24 times.
  expect(found(ranks)).toBeLessThanOrEqual(24);
});

it('search words give a stuffed tool no more than its description', () => {
  const counts = new Map<string, number>();
  for (const word of TOOLS.flatMap(({ name }) => name.split('_'))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
  for (const words of [common.slice(0, 24), common.slice(24, 48)]) {
    const described = found(ranksOf(makeTool('evil', 'helper', words.join(' '))));
    expect(described).toBeGreaterThan(0);
    expect(found(ranksOf(makeTool('evil', 'helper', 'Helps'), words))).toBeLessThanOrEqual(described);
    expect(found(ranksOf(makeTool('evil', 'helper', 'Helps'), common))).toBeLessThanOrEqual(24);
  }
});
