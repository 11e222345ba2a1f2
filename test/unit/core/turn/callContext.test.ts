import { expect, it } from 'vitest';
import type { SearchPort } from '../../../../src/core/search/types';
import { nearestTools } from '../../../../src/core/turn/callContext';
import { makeTool, schema } from './world';

const TOOLS = [
  makeTool('math', 'sum', '', { inputSchema: schema({ a: { type: 'number' } }, ['a']) }),
  makeTool('bank', 'pay'),
];

/** Returns the names that are near, and the search for them, when the search has this outcome. */
async function nearest(outcome: object) {
  const asked: unknown[] = [];
  const search = {
    search: async (request: unknown) => {
      asked.push(request);
      return outcome;
    },
  } as unknown as SearchPort;
  const turn = { services: { search } } as never;
  const names = await nearestTools('math_sun', TOOLS, { turn }, new AbortController().signal);
  return { names, asked };
}

it('shows the tools found for a wrong name, else similar ones', async () => {
  const hits = TOOLS.map((tool) => ({ tool }));
  expect((await nearest({ ok: true, hits, nearest: [] })).names).toEqual(['math_sum({ a: number })', 'bank_pay()']);
  expect((await nearest({ ok: true, hits: [], nearest: ['bank_pay'] })).names).toEqual(['bank_pay()']);
  expect((await nearest({ ok: false, hits, nearest: ['math_sum'] })).names).toEqual([]);
});

it('searches for a wrong name among the given tools alone', async () => {
  expect((await nearest({ ok: true, hits: [], nearest: [] })).asked).toEqual([
    { query: 'math_sun', strategy: 'auto', limit: 3, candidates: new Set(['math/sum', 'bank/pay']) },
  ]);
});
