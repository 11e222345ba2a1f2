import { expect, it } from 'vitest';
import { type ListPage, listAll, TOOL_LIST } from '../../../../../src/tools/mcp/connection/listAll';

const hint = (ttlMs?: unknown, cacheScope?: unknown) => ({ tools: [1], ttlMs, cacheScope });
const PUBLIC = hint(5_000, 'public');
const many = (count: number) => ({ tools: Array(count).fill(2) });
const LARGE = '3'.repeat(10_000_000);

/** The pages of lists. Those after the last are like it. A page without a cursor names the next page if there is one. */
const LISTS: readonly (readonly ListPage[])[] = [
  [{ tools: [1] }, { tools: [2, 3], nextCursor: '' }],
  [PUBLIC, hint(900, 'public')],
  [PUBLIC, hint(5_000, 'private')],
  ...[[PUBLIC, hint()], [hint(Number.MAX_VALUE, 'public')], [hint(-1)], [hint('for ever', 7)], [{ nextCursor: 'b' }]],
  [{ tools: [1] }, { tools: [2] }, { tools: [3], nextCursor: 'page 1' }],
  [PUBLIC, { ...PUBLIC, tools: 'no', nextCursor: 'b' }],
  ...[[many(500_000)], [many(10_000)], [many(9_999), many(1)], [many(9_999), many(2)]],
  ...[many(100), many(0), { tools: [LARGE] }, {}].map((page) => [{ ...page, nextCursor: 'always another' }]),
  [{ tools: [], nextCursor: `always another ${LARGE}` }],
];

const brief = (_: string, value: unknown) =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > 100 ? `${value.length} of ${value[0]}` : value;

it('a list is read and holds as its file says', async () => {
  const told: string[] = [];
  for (const pages of LISTS) {
    const asked: unknown[] = [];
    const { entries, ...list } = await listAll(TOOL_LIST, async (cursor) => {
      asked.push(cursor);
      const at = Math.min(asked.length, pages.length);
      const { nextCursor = at < pages.length ? `page ${at}` : undefined, ...page } = pages[at - 1] ?? {};
      const isEndless = String(nextCursor).startsWith('always');
      return { ...page, nextCursor: isEndless ? `${nextCursor}${asked.length}` : nextCursor };
    });
    told.push(...[pages, asked, entries, list].map((it) => JSON.stringify(it, brief)), '');
  }
  await expect(told.join('\n')).toMatchFileSnapshot('lists.txt');
});
