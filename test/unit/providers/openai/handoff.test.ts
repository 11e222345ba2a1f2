import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { type DeliveryName, type ToolRun, toolMessage } from '../../../../src/core/ports';
import { buildRequest } from '../../../../src/providers/openai/request';
import { result, results, said, searchOf, user } from '../../../data/items';
import { define, ECHO, request, SUM } from './definitions';

const search = { callId: 'srvtoolu_1', queries: ['add'], strategy: 'bm25', found: ['math/get-sum'] };
const call = { callId: 'toolu_1', name: 'math_get-sum', input: { a: 1, b: 2 } };
const CLAUDES: Transcript = [
  user('add'),
  said('Let me look.', [call], {
    searches: [search],
    opaque: [{ wire: 'anthropic', value: [{ type: 'text', text: 'x' }] }],
  }),
  results(result('toolu_1', '3')),
  user('and now?'),
];
const gpts = (value: Json) => [{ wire: 'openai' as const, model: 'gpt-5.4', value }];
const pair = { execution: 'server', call_id: null };
const OWN: Transcript = [
  user('add'),
  said('', [], {
    searches: [{ ...search, callId: 'tsc_1', strategy: 'provider' }],
    opaque: gpts([
      { type: 'tool_search_call', id: 'tsc_1', ...pair, arguments: { paths: ['math'] }, status: 'completed' },
      { type: 'tool_search_output', id: 'tso_1', ...pair, tools: [], status: 'completed' },
    ]),
  }),
];
/** A conversation with a search of ours. `item` is the search as the model's reply had it. */
const ourSearch = (item: { readonly [key: string]: Json }, failed?: ToolRun): Transcript => [
  user('add'),
  said('', [{ callId: 'call_9', name: 'search_tools', input: { queries: ['add'] } }], { opaque: gpts([item]) }),
  results(result('call_9', failed ?? { search: { ...searchOf('math/get-sum'), queries: ['add'] } })),
];
const SEARCHED = { type: 'tool_search_call', id: 'tsc_9', execution: 'client', arguments: { queries: ['add'] } };
const CALLED = { type: 'function_call', id: 'fc_9', name: 'search_tools', arguments: '{"queries":["add"]}' };
const itemsOf = (transcript: Transcript, delivery: DeliveryName) =>
  buildRequest(request({ transcript, deferred: [define(SUM), define(ECHO)], delivery }), {
    model: 'gpt-5.4',
  }).input as unknown as readonly { readonly type?: string; readonly [key: string]: unknown }[];

describe('A search in a request to OpenAI', () => {
  it.each<DeliveryName>(['server', 'client'])(
    'that Claude made is a pair of ours, under its id, with delivery %s',
    (delivery) => {
      const ours = { execution: 'client', call_id: 'srvtoolu_1' };
      expect(itemsOf(CLAUDES, delivery)).toMatchObject([
        { role: 'user' },
        { role: 'assistant', content: 'Let me look.' },
        { ...ours, type: 'tool_search_call', arguments: { queries: ['add'] }, status: 'completed' },
        { ...ours, type: 'tool_search_output', tools: [{ tools: [{ name: 'math_get-sum' }] }] },
        { type: 'function_call', call_id: 'toolu_1' },
        { type: 'function_call_output', call_id: 'toolu_1' },
        { role: 'user' },
      ]);
    },
  );

  it('beside it, a call without an id has the one it got', () => {
    const { id, ...item } = { ...CALLED, name: call.name, arguments: JSON.stringify(call.input) };
    const reply = said('', [call], { opaque: gpts([item]) });
    const calls = itemsOf([user('add'), reply, results(result(call.callId, '3'))], 'client').slice(1);
    expect(calls.map(({ call_id }) => call_id)).toEqual([call.callId, call.callId]);
  });

  it('beside it, a call with cut arguments stays as it is', () => {
    const cut = [user('add'), said('', [{ ...call, input: '{"a":1,' }]), results(result(call.callId, 'No JSON.'))];
    expect(itemsOf(cut, 'client')[1]).toMatchObject({ type: 'function_call', arguments: '{"a":1,' });
  });

  it('of the service stays as written; ours is a pair of ours', () => {
    expect(itemsOf(OWN, 'server').slice(1, 3)).toMatchObject([pair, pair]);
    const ours = { execution: 'client', call_id: 'tsc_1' };
    expect(itemsOf(OWN, 'client').slice(1, 3)).toMatchObject([ours, ours]);
  });

  it.each<[string, DeliveryName, { readonly [key: string]: Json }]>([
    ['that we made', 'server', SEARCHED],
    ['that was a call like any other, with bridge or local,', 'server', CALLED],
    ['that was a call like any other, with bridge or local,', 'client', CALLED],
  ])('%s is a pair of ours with %s', (_, delivery, item) => {
    const ours = { execution: 'client', call_id: 'call_9' };
    expect(itemsOf(ourSearch({ ...item, call_id: 'call_9' }), delivery).slice(1)).toMatchObject([
      { ...ours, type: 'tool_search_call' },
      { ...ours, type: 'tool_search_output', tools: [{ tools: [{ name: 'math_get-sum' }] }] },
    ]);
  });

  it('that failed has no tools, and then says why', () => {
    const failed = ourSearch({ ...SEARCHED, call_id: 'call_9' }, toolMessage('failed', 'It needs words.'));
    expect(itemsOf(failed, 'client').slice(2)).toMatchObject([{ tools: [] }, { content: 'It needs words.' }]);
  });
});
