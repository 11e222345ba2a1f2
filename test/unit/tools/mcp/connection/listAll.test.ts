import { describe, expect, it } from 'vitest';
import { type ListPage, listAll, TOOL_LIST } from '../../../../../src/tools/mcp/connection/listAll';

const readAll = (pages: { readonly [cursor: string]: ListPage }) =>
  listAll(TOOL_LIST, async (cursor) => pages[cursor ?? 'start'] ?? {});

describe('listAll', () => {
  it('reads page after page', async () => {
    const read = await readAll({ start: { tools: [1], nextCursor: 'b' }, b: { tools: [2, 3], nextCursor: '' } });
    expect(read).toMatchObject({ entries: [1, 2, 3], problems: [] });
  });

  it.each([
    [
      [
        { ttlMs: 5_000, cacheScope: 'public' },
        { ttlMs: 900, cacheScope: 'public' },
      ],
      900,
      true,
    ],
    [
      [
        { ttlMs: 5_000, cacheScope: 'public' },
        { ttlMs: 5_000, cacheScope: 'private' },
      ],
      5_000,
      false,
    ],
    [[{ ttlMs: 5_000, cacheScope: 'public' }, {}], 0, false],
    [[{ ttlMs: Number.MAX_VALUE }], 86_400_000, false],
    [[{ ttlMs: -1 }], 0, false],
    [[{ ttlMs: 'for ever', cacheScope: 7 }], 0, false],
  ])('holds as long, and for whom, all pages %j hold', async (hints, ttlMs, isPublic) => {
    const [first, second] = hints.map((hint) => ({ tools: [1], ...hint }));
    const read = await readAll(second ? { start: { ...first, nextCursor: 'b' }, b: second } : { start: first ?? {} });
    expect(read).toMatchObject({ ttlMs, isPublic });
  });

  it('stops if pages go in circles, and says so', async () => {
    const read = await readAll({
      start: { tools: [1], nextCursor: 'b' },
      b: { tools: [2], nextCursor: 'c' },
      c: { tools: [3], nextCursor: 'b' },
    });
    expect(read.entries).toEqual([1, 2, 3]);
    expect(read.problems[0]).toContain('never end');
  });

  it('keeps the bound within one page too', async () => {
    const read = await readAll({ start: { tools: Array(500_000).fill('x') } });
    expect(read.entries).toHaveLength(10_000);
    expect(read.problems).toEqual([expect.stringContaining('more than 10,000')]);
    expect(await readAll({ start: { tools: Array(10_000).fill('x') } })).toMatchObject({ problems: [] });
  });

  it.each([
    ['entries', (text: string) => ({ tools: [{ name: text }] })],
    ['cursors', (text: string) => ({ tools: [], nextCursor: text })],
  ])('bounds the size of all pages together: %s', async (_, make) => {
    let page = 0;
    const read = await listAll(TOOL_LIST, async () => ({
      nextCursor: String(page),
      ...make(`${page++}${'x'.repeat(10_000_000)}`),
    }));
    expect(read.problems).toEqual(['Its answer to tools/list has more than 64 MB. The rest is left out.']);
    expect([read.entries.length, page]).toEqual([_ === 'entries' ? 6 : 0, 7]);
  });

  it('stops if there are always new pages', async () => {
    let page = 0;
    const endless = await listAll(TOOL_LIST, async () => ({ tools: Array(100).fill('x'), nextCursor: String(++page) }));
    expect(endless.entries).toHaveLength(10_000);
    page = 0;
    const empty = await listAll(TOOL_LIST, async () => ({ tools: [], nextCursor: String(++page) }));
    expect(page).toBe(1_001);
    const problem = 'Its answer to tools/list has more than 10,000 entries or 1,000 pages. The rest is left out.';
    expect([endless, empty].map(({ problems }) => problems)).toEqual([[problem], [problem]]);
  });

  it('uses what came before a page that is none', async () => {
    const read = await readAll({ start: { tools: [1], nextCursor: 'b' }, b: { tools: 'no' } });
    expect(read.entries).toEqual([1]);
    expect(read.problems[0]).toContain('isn’t a list');
  });
});
