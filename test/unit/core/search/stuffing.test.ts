import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { readQueries, readTools } from '../../../bench/data';
import { ours } from '../../../bench/engines';
import { type Exposure, FIELDS, FTS5, ownStuffing } from '../../../bench/stuffing';
import { makeTool } from './makeTool';

const BENCH = join(import.meta.dirname, '../../../bench');

const TOOLS = readTools(join(BENCH, 'tools.jsonl'));
const QUERIES = readQueries(join(BENCH, 'queries.jsonl'));

/** The ranks of a stuffed tool among five, for each query; -1 if it isn't found. */
function ranksOf(stuffed: Tool, words: readonly string[] = []): readonly number[] {
  const index = new ToolIndex([...TOOLS, stuffed], ({ id }) => (id === stuffed.id ? { en: words } : undefined));
  return QUERIES.map(({ query }) => {
    const outcome = index.search({ query, strategy: 'bm25', limit: 5 });
    return outcome.ok ? outcome.hits.findIndex(({ tool }) => tool.id === stuffed.id) : -1;
  });
}

const found = (ranks: readonly number[]) => ranks.filter((rank) => rank >= 0).length;

const OF_NAMES = ['words of names', '60 words of names', '120 words of names'] as const;

describe('a tool that is stuffed with words of others', () => {
  const stuffing = ownStuffing(BENCH);
  /** What FTS5 finds. It has one field, so only the text of all fields is another. */
  const peers = new Map<string, Exposure>();

  it.each(FIELDS)('is found at most a quarter as often as in SQLite FTS5: %s', async (field) => {
    for (const [text, size] of [...OF_NAMES.map((text) => [text, 500] as const), ['rarer words', 5_000] as const]) {
      const own = await stuffing.exposure(ours('bm25'), text, size, field);
      const key = `${text} ${field === 'all'}`;
      const peer = peers.get(key) ?? (await stuffing.exposure(FTS5, text, size, field));
      peers.set(key, peer);
      expect(peer.five, text).toBeGreaterThan(8);
      expect(own.five, text).toBeLessThanOrEqual(peer.five / 4);
      expect(own.first, text).toBe(0);
    }
  });
});

it('search words give a stuffed tool no more than its description', () => {
  const counts = new Map<string, number>();
  for (const word of TOOLS.flatMap(({ name }) => name.split('_'))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
  const words = common.slice(24, 48);
  const described = found(ranksOf(makeTool('evil', 'helper', words.join(' '))));
  expect(described).toBeGreaterThan(0);
  expect(found(ranksOf(makeTool('evil', 'helper', 'Helps'), words))).toBeLessThanOrEqual(described);
  expect(found(ranksOf(makeTool('evil', 'helper', 'Helps'), common))).toBeLessThanOrEqual(24);
});
