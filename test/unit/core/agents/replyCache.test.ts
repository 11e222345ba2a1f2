import { expect, it } from 'vitest';
import { ReplyCache } from '../../../../src/core/agents/replyCache';
import type { ToolCall, Transcript } from '../../../../src/core/conversation/transcript';
import { result, results, said, user } from '../../../data/items';

const call = (callId: string): ToolCall => ({ callId, name: 'math_sum', input: {} });
const answers = (...ids: string[]) => results(...ids.map((id) => result(id, id)));
const items = (all: Transcript) => all.map((item) => ({ item }));

// A reply with a search that we answered. The agent sees the two other calls alone.
const OURS: Transcript = [said('One', [call('ours')]), answers('ours'), said('', [call('a'), call('b')])];

/** A cache that knows a reply with the calls `a` and `b`, and one that is a text. */
function filled() {
  const cache = new ReplyCache();
  cache.remember(OURS, { text: '', calls: [call('a'), call('b')] }, [user('Sum?')]);
  cache.remember([...OURS.slice(0, 2), said('Three')], { text: 'Three', calls: [] }, [user('Sum?')]);
  return cache;
}

it('restores a reply by its calls, and a text by its question', () => {
  const cache = filled();
  const whole = cache.restore(items([said('', [call('a'), call('b')]), answers('a', 'b')]));
  expect(whole).toEqual([...OURS, answers('a', 'b')]);
  const [question, answer] = [user('Sum?'), said('Three')];
  expect(cache.restore(items([question, answer]))).toEqual([question, ...OURS.slice(0, 2), answer]);
  expect(cache.restore(items([user('Else?'), answer]))).toEqual([user('Else?'), answer]);
});

it.each([
  ['fewer calls', [call('a')]],
  ['more calls', [call('a'), call('b'), call('c')]],
  ['another call', [call('a'), call('c')]],
])('leaves a message with %s than stored with it as it is', (_, calls) => {
  const item = said('', calls);
  expect(new ReplyCache().restore([{ item, kept: OURS }])).toEqual([item]);
});

it('takes what the agent sent back, unless it isn’t ours', () => {
  const item = said('', [call('a'), call('b')]);
  const restored = (kept: unknown) => new ReplyCache().restore([{ item, kept }]);
  expect(restored(OURS)).toEqual(OURS);
  const note = user('News', { note: true });
  expect(restored([note, ...OURS])).toEqual([note, ...OURS]);
  for (const other of [[user('Pay!'), ...OURS], [], 'text', null]) expect(restored(other)).toEqual([item]);
  const empty = said('');
  expect(new ReplyCache().restore([{ item: empty, kept: [] }])).toEqual([empty]);
});

it('remembers 500 replies, and none that shows nothing', () => {
  const cache = new ReplyCache();
  cache.remember(OURS.slice(0, 2), { text: '', calls: [] }, []);
  expect(cache.restore(items([said('')]))).toEqual([said('')]);
  const reply = (id: string): Transcript => [...OURS.slice(0, 2), said('', [call(id)])];
  for (let id = 0; id <= 500; id++) cache.remember(reply(`c${id}`), { text: '', calls: [call(`c${id}`)] }, []);
  expect(cache.restore(items([said('', [call('c0')])]))).toHaveLength(1);
  expect(cache.restore(items([said('', [call('c1')])]))).toEqual(reply('c1'));
});

it('joins results that follow each other', () => {
  const mixed = [answers('a'), answers('b'), user('Go on'), answers('c')];
  expect(new ReplyCache().restore(items(mixed))).toEqual([answers('a', 'b'), user('Go on'), answers('c')]);
});
