import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/core/ports';
import { assistantItem, boundThinking, collectReply } from '../../../../src/core/turn/reply';
import { TokenCounter } from '../../../../src/core/usage/tokenCounter';
import { call, text } from './world';

async function collect(events: readonly ModelEvent[]) {
  const none = () => {};
  const sink = { text: none, search: none, warning: none, waiting: none, code: none, thinking: none };
  const stream = (async function* () {
    yield* events;
  })();
  return collectReply(stream, sink, 3, new AbortController().signal);
}

it('takes a call that a restarted stream repeats for one call', async () => {
  const pay = call('bank_pay', { to: 'me', amount: 1 }, 'toolu_1');
  const again = call('bank_pay', { amount: 1, to: 'me' }, 'toolu_1');
  const { calls } = await collect([text('I pay.'), pay, text('I pay.'), again]);
  expect(calls).toEqual([{ callId: 'toolu_1', name: 'bank_pay', input: { to: 'me', amount: 1 } }]);
});

it('gives calls without an id one of their own', async () => {
  const list = call('bank_list', {}, '');
  const { calls } = await collect([call('bank_pay', { to: 'me' }, 'given'), list, list]);
  expect(calls.map(({ callId }) => callId)).toEqual(['given', 'call_3_1', 'call_3_2']);
});

it('takes only the first call with an id, also a made one', async () => {
  const own: ModelEvent = { type: 'opaque', block: { wire: 'openai', model: 'gpt', value: [] } };
  const first = call('bank_pay', { to: 'me' }, 'call_3_1');
  expect((await collect([first, own])).opaque).toHaveLength(1);
  for (const other of [call('bank_pay', { to: 'you' }, ''), call('bank_list', { to: 'me' }, 'call_3_1')]) {
    const { calls, opaque } = await collect([first, other, own]);
    expect(calls).toEqual([{ callId: 'call_3_1', name: 'bank_pay', input: { to: 'me' } }]);
    expect(opaque).toEqual([]);
  }
});

it('keeps calls whose parts are no texts or nest too deeply', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { to: deep(levels - 1) });
  const value = [{ input: deep(600) }] as never;
  const odd = [call(5 as never, {}, null as never), call('bank_pay', deep(600), { a: 1 } as never)];
  const { calls, opaque } = await collect([...odd, { type: 'opaque', block: { wire: 'anthropic', value } }]);
  expect([calls, opaque]).toEqual([
    [
      { callId: 'call_3_0', name: '5', input: {} },
      { callId: '[object Object]', name: 'bank_pay', input: '[A part that nests too deeply was left out.]' },
    ],
    [],
  ]);
});

it('is cut if its second part breaks off, despite reported usage', async () => {
  const usage = { inputTokens: 631, outputTokens: 5 };
  const first: ModelEvent = { type: 'usage', usage };
  expect((await collect([text('One'), first])).cut).toBe(false);
  expect((await collect([text('One'), first, { type: 'usage', usage, soFar: true }])).cut).toBe(true);
});

it('has bound thinking: its tokens without its other blocks', () => {
  const thinkingOf = (value: readonly object[], more: object = { after: 'x' }) => {
    const opaque = [{ wire: 'anthropic', value, ...more }];
    const reply = { text: '', calls: [], searches: [], opaque, usage: { inputTokens: 1, outputTokens: 500 } };
    return boundThinking(reply as never, new TokenCounter()).boundThinking ?? 0;
  };
  const [thinking, other] = [{ type: 'redacted_thinking' }, { type: 'text', text: 'x'.repeat(400) }];
  expect(thinkingOf([thinking])).toBeGreaterThan(490);
  expect(thinkingOf([thinking, other])).toBeLessThan(450);
  expect(thinkingOf([other])).toBe(0);
  expect(thinkingOf([thinking], {})).toBe(0);
});

it('passes each event on once, and keeps what the reply has', async () => {
  const heard: unknown[] = [];
  const hear =
    (kind: string) =>
    (...values: unknown[]) =>
      heard.push([kind, ...values]);
  const kinds = ['text', 'search', 'warning', 'waiting', 'code', 'thinking'];
  const sink = Object.fromEntries(kinds.map((kind) => [kind, hear(kind)]));
  const search = { callId: 's', queries: ['q'], strategy: 'bm25', found: ['math_sum'] };
  const code = { type: 'code', callId: 'c', code: 'x' };
  const codeEnded = { type: 'codeEnded', callId: 'c', ok: true, output: '' };
  const block = { wire: 'openai', model: 'gpt', value: [] };
  const stream = (async function* () {
    yield* [text('One '), { type: 'search', search }, { type: 'warning', message: 'w' }, code, codeEnded];
    yield* [{ type: 'waiting', models: 'all', seconds: 3 }, { type: 'thinking', text: 'Hm' }, text('two')];
    yield* [
      { type: 'cacheMiss', reason: 'tools changed' },
      { type: 'opaque', block },
    ];
    yield* [call('old', {}), { type: 'restarted' }, { ...call('new', {}, 'n'), caller: 'c' }];
  })() as AsyncIterable<ModelEvent>;
  expect(await collectReply(stream, sink as never, 3, new AbortController().signal)).toEqual({
    text: 'One two',
    calls: [{ callId: 'n', name: 'new', input: {}, caller: 'c' }],
    searches: [search],
    opaque: [block],
    cut: false,
    cacheMiss: 'tools changed',
  });
  const shown = [
    ['waiting', 'all', 3],
    ['thinking', 'Hm'],
    ['text', 'two'],
  ];
  const first = [
    ['text', 'One '],
    ['search', search],
    ['warning', 'w'],
    ['code', code],
    ['code', codeEnded],
  ];
  expect(heard).toEqual([...first, ...shown]);
});

it.each([
  ['an error before usage', [new Error('gone')], true],
  ['an error after all usage', [false, new Error('gone')], false],
  ['an error after the first usage', [true, new Error('gone')], true],
  ['usage so far, then all usage', [true, false], false],
  ['no usage', [], false],
])('is cut or not after %s', async (_, steps, cut) => {
  const usage = { inputTokens: 1, outputTokens: 2 };
  const stream = (async function* (): AsyncGenerator<ModelEvent> {
    yield text('One');
    for (const step of steps) {
      if (step instanceof Error) throw step;
      yield { type: 'usage', usage, ...(step ? { soFar: true } : {}) };
    }
  })();
  const reply = await collectReply(stream, { text: () => {} } as never, 1, new AbortController().signal);
  expect([reply.text, reply.cut, reply.failure]).toEqual(['One', cut, steps.find((step) => step instanceof Error)]);
  expect(reply.firstUsage).toEqual(steps.includes(true) ? usage : undefined);
});

it('is cut when cancelled, without an error or later text', async () => {
  const cancel = new AbortController();
  const ends: string[] = [];
  const stream = (async function* (): AsyncGenerator<ModelEvent> {
    try {
      yield text('One');
      yield text('two');
    } finally {
      ends.push('ended');
    }
  })();
  const reply = await collectReply(stream, { text: () => cancel.abort() } as never, 1, cancel.signal);
  expect(reply).toEqual({ text: 'One', calls: [], searches: [], opaque: [], cut: true });
  expect(ends).toEqual(['ended']);
});

it('becomes an item with the ids of the known tools found', () => {
  const searches = [{ callId: 's', queries: ['q'], strategy: 'bm25', found: ['math_sum', 'gone'] }];
  const opaque = [{ wire: 'openai', value: [] }];
  const calls = [{ callId: 'n', name: 'new', input: {} }];
  const idOf = (name: string) => (name === 'math_sum' ? 'math/sum' : undefined);
  const reply = { text: 'One', calls, searches, opaque, cut: false } as never;
  expect(assistantItem(reply, idOf)).toEqual({
    kind: 'assistant',
    text: 'One',
    calls,
    searches: [{ callId: 's', queries: ['q'], strategy: 'bm25', found: ['math/sum'] }],
    opaque,
  });
  const bare = { text: '', calls: [], searches: [], opaque: [], cut: false } as never;
  expect(assistantItem(bare, idOf)).toEqual({ kind: 'assistant', text: '', calls: [] });
});
