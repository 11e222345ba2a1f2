import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/core/ports';
import { readReply } from '../../../../src/providers/openai/stream';

const ASKED = { model: 'gpt-5.4', name: 'GPT-5.4', apiKey: 'sk-x', baseUrl: 'https://gpt.test/v1' };

async function read(events: readonly unknown[]): Promise<ModelEvent[]> {
  const said: ModelEvent[] = [];
  async function* play() {
    yield* events as ResponseStreamEvent[];
  }
  for await (const event of readReply(play(), ASKED, new AbortController().signal, [])) said.push(event);
  return said;
}

const item = (value: object) => ({ type: 'response.output_item.done', output_index: 0, item: value });
const call = (rest: object) => ({
  ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}', status: 'completed' },
  ...rest,
});
const end = (output: readonly object[], rest = {}) => ({
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
    const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
    expect((await read([end([{ ...message, created_by: 'someone' }])])).at(-1)).toEqual({
      type: 'opaque',
      block: { wire: 'openai', model: 'gpt-5.4', value: [message] },
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
