import { expect, it } from 'vitest';
import { recordDiscovered, recordProviderSearch } from '../../../../src/core/turn/recordSearch';
import { TokenCounter } from '../../../../src/core/usage/tokenCounter';
import { makeCatalog, makeTool } from './world';

const [SUM, PAY] = [makeTool('math', 'sum'), makeTool('bank', 'pay')];

/** A recording with what it recorded and showed. */
function recording() {
  const entries: { readonly [key: string]: unknown }[] = [];
  const shown: unknown[] = [];
  const context = {
    round: 3,
    catalog: makeCatalog([SUM, PAY]),
    deferred: [SUM, PAY],
    counter: new TokenCounter(),
    record: (entry: object) => entries.push({ ...entry }),
    sink: {
      searching: (queries: readonly string[]) => shown.push(queries),
      found: (tools: readonly { readonly id: string }[]) => shown.push(tools.map(({ id }) => id)),
    },
  } as never;
  return { entries, shown, context };
}

const search = (found: readonly string[], more: object = {}) =>
  ({ callId: 's', queries: ['a', 'b'], strategy: 'bm25', found, ...more }) as const;

it('a provider’s search is recorded with the tools that it knows', () => {
  const { entries, shown, context } = recording();
  const found = new Set<string>();
  recordProviderSearch(search(['math_sum', 'gone']), found, context);
  const [searched, discovered, ...rest] = entries;
  expect(searched).toMatchObject({ type: 'searched', round: 3, callId: 's', query: 'a, b', matched: 1, limit: 1 });
  expect(searched?.hits).toMatchObject([{ id: 'math/sum', score: 0, terms: [] }]);
  expect(searched).not.toHaveProperty('note');
  expect(discovered).toMatchObject({ type: 'discovered', round: 3, ids: ['math/sum'] });
  expect(rest).toEqual([]);
  expect([...found]).toEqual(['math/sum']);
  expect(shown).toEqual([['a', 'b'], ['math/sum']]);
});

it('a provider’s search that finds nothing or fails tells why', () => {
  const { entries, shown, context } = recording();
  recordProviderSearch(search([]), new Set(), context);
  recordProviderSearch(search([], { error: 'too many requests' }), new Set(), context);
  expect(entries).toMatchObject([
    { matched: 0, hits: [], note: 'No tools found among 2.' },
    { matched: 0, hits: [], note: 'too many requests', failed: true },
  ]);
  expect(entries[0]).not.toMatchObject({ failed: true });
  expect(shown).toHaveLength(2);
});

it('tools are discovered once', () => {
  const { entries, shown, context } = recording();
  const found = new Set(['math/sum']);
  recordDiscovered([SUM], found, context);
  expect([entries, shown]).toEqual([[], []]);
  recordDiscovered([SUM, PAY], found, context);
  expect(entries).toMatchObject([{ ids: ['bank/pay'] }]);
  expect(shown).toEqual([['bank/pay']]);
});
