import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../../../src/core/ledger/events';
import { modelPrices } from '../../../../src/core/models/modelFacts';
import type { SearchPort } from '../../../../src/core/search/types';
import { nearestTools } from '../../../../src/core/turn/callContext';
import { inputOf, outputTokens } from '../../../../src/core/turn/replyTokens';
import { TokenCounter } from '../../../../src/core/usage/tokenCounter';
import { filler, MODEL, makeTool, makeWorld, playTurn, schema, TestModel, text } from './world';

const usage = { inputTokens: 900, outputTokens: 7 };
const reply = (more: object) => ({ text: 'x'.repeat(400), calls: [], searches: [], ...more }) as never;
const counter = new TokenCounter();

describe('what a reply came to', () => {
  it('is what the service reports', () => {
    expect(outputTokens(reply({ usage }), counter)).toEqual({ value: 7, certainty: 'measured' });
    expect(outputTokens(reply({}), counter)).toBeUndefined();
  });

  it('is an estimate after a cut, and no less than was heard', () => {
    const heard = outputTokens(reply({ cut: true }), counter);
    expect(heard?.certainty).toBe('estimated');
    expect(heard?.value).toBeGreaterThan(50);
    expect(outputTokens(reply({ cut: true, usage }), counter)).toEqual(heard);
    const more = { ...usage, outputTokens: 5_000 };
    expect(outputTokens(reply({ cut: true, usage: more }), counter)).toEqual({ value: 5_000, certainty: 'estimated' });
  });

  it('is read again after each search, with what the search found', () => {
    const rules = modelPrices({ vendor: 'anthropic', id: 'claude-sonnet-5' });
    const searches = [{ callId: 's', queries: ['a'], strategy: 'bm25', found: ['b'] }];
    const cut = (more: object) =>
      inputOf(reply({ searches, cut: true, usage: { ...usage, ...more } }), 300, counter, rules);
    const {
      inputTokens = 0,
      cacheReadTokens,
      cacheWriteTokens,
    } = cut({ cacheReadTokens: 0, cacheWriteTokens: 0 }) ?? {};
    expect(inputTokens).toBeGreaterThan(2 * 900 + 300);
    expect(cacheReadTokens).toBe(0);
    // The second reading is long enough to be cached.
    expect(cacheWriteTokens).toBe(inputTokens - 900);
    expect(cut({ cacheReadTokens: 500, cacheWriteTokens: 400 })).toMatchObject({
      cacheReadTokens: 1_400,
      cacheWriteTokens: 400 + inputTokens - 1_800,
    });
    expect(cut({})).toEqual({ ...usage, inputTokens });
    expect(inputOf(reply({ searches, usage }), 300, counter, rules)).toBe(usage);
  });

  it('counts a cut call although its input never came', () => {
    const calls = [{ callId: 'a', name: 'b', input: undefined }];
    expect(outputTokens(reply({ cut: true, calls }), counter)).toEqual(outputTokens(reply({ cut: true }), counter));
  });
});

async function warningsOf(vendor: string, id: string): Promise<readonly string[]> {
  const world = makeWorld(filler('other', 3));
  const info = { ...MODEL, vendor, id, name: 'Nova', maxInputTokens: 128_000 };
  const model = Object.assign(new TestModel([[text('a')], [text('b')]]), { info });
  for (let turn = 0; turn < 2; turn++) await playTurn(world, model);
  return eventsOf(world.ledger.events, 'warned').map(({ message }) => message);
}

it('says once that a model isn’t in the table', async () => {
  expect(await warningsOf('toolsearch-openai', 'nova-1')).toEqual([
    'Tool Search doesn’t know the model Nova. Its window of 128,000 tokens and its features are assumed. Figures are in tokens only, because its prices aren’t known.',
  ]);
});

it.each([
  ['toolsearch-openai', 'gpt-5.4'],
  ['copilot', 'nova-1'],
])('is silent about %s/%s', async (vendor, id) => expect(await warningsOf(vendor, id)).toEqual([]));

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

it('shows of tools found for a wrong name those of its words', async () => {
  const hits = TOOLS.map((tool) => ({ tool }));
  expect((await nearest({ ok: true, hits, nearest: [] })).names).toEqual(['math_sum({ a: number })']);
  expect((await nearest({ ok: true, hits: [], nearest: ['math_sum'] })).names).toEqual(['math_sum({ a: number })']);
  expect((await nearest({ ok: false, hits, nearest: ['math_sum'] })).names).toEqual([]);
});

it('searches for a wrong name among the given tools alone', async () => {
  expect((await nearest({ ok: true, hits: [], nearest: [] })).asked).toEqual([
    { query: 'math_sun', strategy: 'auto', limit: 3, candidates: new Set(['math/sum', 'bank/pay']) },
  ]);
});
