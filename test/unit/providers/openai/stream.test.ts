import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/core/ports';
import { readReply } from '../../../../src/providers/openai/stream';

const ASKED = { model: 'gpt-5.4', name: 'GPT-5.4', apiKey: 'sk-x', baseUrl: 'https://gpt.test/v1' };

/** The events of a stream before it ends or throws. */
async function heard(events: readonly unknown[]): Promise<{ said: ModelEvent[]; error?: unknown }> {
  const said: ModelEvent[] = [];
  async function* play() {
    yield* events as ResponseStreamEvent[];
  }
  try {
    for await (const event of readReply(play(), ASKED, new AbortController().signal, [])) said.push(event);
  } catch (error) {
    return { said, error };
  }
  return { said };
}

/** The events of a stream that ends well. */
async function read(events: readonly unknown[]): Promise<ModelEvent[]> {
  const { said, error } = await heard(events);
  expect(error).toBeUndefined();
  return said;
}

const USAGE = { input_tokens: 321, output_tokens: 12, total_tokens: 333 };
const MESSAGE = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
const item = (value: object) => ({ type: 'response.output_item.done', output_index: 0, item: value });
const call = (rest: object) => ({
  ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}', status: 'completed' },
  ...rest,
});
const end = (output: unknown, rest = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output, ...rest },
});

describe('A reply of GPT', () => {
  it('takes the id of a search from its end', async () => {
    const search = {
      ...{ type: 'tool_search_call', id: 'tsc_1', execution: 'client', status: 'completed' },
      arguments: { queries: ['x'] },
    };
    const early = { ...search, call_id: 'call_early', arguments: {} };
    const events = [
      { type: 'response.output_item.added', output_index: 0, item: early },
      item({ ...search, call_id: 'call_late' }),
      end([{ ...search, call_id: 'call_late' }]),
    ];
    expect((await read(events))[0]).toEqual({
      type: 'call',
      callId: 'call_late',
      name: 'search_tools',
      input: { queries: ['x'] },
    });
  });

  it('passes on arguments that are no JSON, for the model', async () => {
    const half = call({ arguments: '{"a":' });
    expect((await read([item(half), end([half])]))[0]).toMatchObject({ type: 'call', input: '{"a":' });
  });

  it('is kept for this model alone, without what the service refuses', async () => {
    expect((await read([end([{ ...MESSAGE, created_by: 'someone' }])])).at(-1)).toEqual({
      type: 'opaque',
      block: { wire: 'openai', model: 'gpt-5.4', value: [MESSAGE] },
    });
  });

  it('is kept from what came before, if its end has nothing', async () => {
    expect((await read([item(call({ namespace: 'n' })), end([])])).at(-1)).toMatchObject({
      block: { value: [{ call_id: 'call_1', namespace: 'n' }] },
    });
  });

  it('is kept with parts that nobody knows', async () => {
    const item = { type: 'novel_item', id: 'x', payload: [1] };
    expect(await read([end([item])])).toMatchObject([{ type: 'opaque', block: { value: [item] } }]);
  });

  it('puts a paragraph between two messages', async () => {
    const text = (delta: string) => ({ type: 'response.output_text.delta', delta });
    const added = { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } };
    const said = await read([added, text('One'), text(' two.'), added, text('Three.'), end([])]);
    expect(said.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('One two.\n\nThree.');
  });

  it('reads a program whose parts are no texts', async () => {
    const items = [
      { type: 'program', call_id: null, code: null },
      { type: 'program_output', call_id: 1, result: {}, status: 'completed' },
    ];
    expect(await read([...items.map(item), end(items)])).toEqual([
      { type: 'code', callId: 'null', code: 'null' },
      { type: 'codeEnded', callId: '1', ok: true, output: '[object Object]' },
    ]);
  });

  it('counts what is no number as none', async () => {
    const usage = { input_tokens: null, input_tokens_details: { cached_tokens: {} }, output_tokens: {} };
    expect(await read([end([], { usage })])).toEqual([{ type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } }]);
  });
});

describe('A reply of GPT that goes wrong', () => {
  it('runs no call that is incomplete', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'pay', arguments: '{"sum": 1}' };
    const cut = { type: 'response.incomplete', response: { status: 'incomplete', output: [], usage: USAGE } };
    const calls = async (status: string) =>
      (await read([item({ ...call, status }), cut])).filter((event) => event.type === 'call').length;
    expect([await calls('incomplete'), await calls('completed')]).toEqual([0, 1]);
  });

  it('reports the usage of a failed one', async () => {
    const error = { code: 'server_error', message: 'it broke' };
    const failed = { type: 'response.failed', response: { status: 'failed', output: [], usage: USAGE, error } };
    const { said, error: thrown } = await heard([failed]);
    expect(said).toEqual([{ type: 'usage', usage: expect.objectContaining({ inputTokens: 321, outputTokens: 12 }) }]);
    expect(String(thrown)).toContain('it broke');
  });

  it.each([
    [null, []],
    [{}, []],
    ['get_issue', []],
    [[null, 7, { type: 'namespace' }, { type: 'function' }, { type: 'namespace', tools: {} }], []],
    [
      [
        { type: 'namespace', name: 'g', tools: [{ name: 'a' }, null, {}] },
        { type: 'function', name: 'b' },
      ],
      ['a', 'b'],
    ],
  ])('finds what is left of damaged tools: %j', async (tools, found) => {
    const output = { type: 'tool_search_output', id: 'ts', call_id: null, execution: 'server', status: 'completed' };
    const said = await read([item({ ...output, tools }), end([], { usage: USAGE })]);
    expect(said.find((event) => event.type === 'search')).toMatchObject({ search: { found } });
  });

  it.each([
    ['a text', 'x'],
    ['damaged items', [null, 7, {}, { type: {} }]],
    ['an item with an odd type', [{ type: 'constructor' }]],
  ])('goes on when its whole output is %s', async (_, output) => {
    const cache = { type: 'cache_miss', reason: { toString: 1 } };
    const said = await read([item(MESSAGE), end(output, { usage: USAGE, prompt_cache_diagnostics: cache })]);
    const kept = output.at(0) === 'x' || output.length > 1 ? [MESSAGE] : output;
    expect(said.find((event) => event.type === 'opaque')).toMatchObject({ block: { value: kept } });
  });

  it('says that it failed when the reason is no text', async () => {
    const { error } = await heard([{ type: 'error', code: 'x', message: { toString: 1 } }]);
    expect(String(error)).toContain('failed while it answered: no reason given');
  });
});
