import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/core/ports';
import { boundThinking, collectReply } from '../../../../src/core/turn/reply';
import { TokenCounter } from '../../../../src/core/usage/tokenCounter';
import { call, text } from './world';

async function collect(events: readonly ModelEvent[]) {
  const sink = {
    text: () => {},
    search: () => {},
    warning: () => {},
    waiting: () => {},
    code: () => {},
    thinking: () => {},
  };
  const stream = (async function* () {
    yield* events;
  })();
  return collectReply(stream, sink, 3, new AbortController().signal);
}

it('takes a call that a restarted stream repeats for one call', async () => {
  const pay = call('bank_pay', { to: 'me', amount: 1 }, 'toolu_1');
  const { calls } = await collect([
    text('I pay.'),
    pay,
    text('I pay.'),
    call('bank_pay', { amount: 1, to: 'me' }, 'toolu_1'),
  ]);
  expect(calls).toEqual([{ callId: 'toolu_1', name: 'bank_pay', input: { to: 'me', amount: 1 } }]);
});

it('gives calls without an id one of their own', async () => {
  const { calls } = await collect([
    call('bank_pay', { to: 'me' }, 'given'),
    call('bank_list', {}, ''),
    call('bank_list', {}, ''),
  ]);
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
