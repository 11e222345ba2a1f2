import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/core/ports';
import { readReply } from '../../../../src/providers/openai/stream';

const MODEL = { model: 'gpt-5.4', name: 'GPT-5.4', apiKey: 'sk-x', baseUrl: 'https://gpt.test/v1' };
const USAGE = { input_tokens: 321, output_tokens: 12, total_tokens: 333 };

/** The events of a stream before it ends or throws. */
async function heard(events: readonly object[]): Promise<{ said: ModelEvent[]; error?: unknown }> {
  const said: ModelEvent[] = [];
  async function* play() {
    yield* events as ResponseStreamEvent[];
  }
  try {
    for await (const event of readReply(play(), MODEL, new AbortController().signal, [])) said.push(event);
  } catch (error) {
    return { said, error };
  }
  return { said };
}

describe('A reply of GPT that goes wrong', () => {
  it('runs no call that is incomplete', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'pay', arguments: '{"sum": 1}' };
    const done = (status: string) => ({
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...call, status },
    });
    const end = { type: 'response.incomplete', response: { status: 'incomplete', output: [], usage: USAGE } };
    const calls = async (status: string) =>
      (await heard([done(status), end])).said.filter((event) => event.type === 'call').length;
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
    const item = {
      type: 'tool_search_output',
      id: 'ts',
      call_id: null,
      execution: 'server',
      status: 'completed',
      tools,
    };
    const end = { type: 'response.completed', response: { status: 'completed', output: [], usage: USAGE } };
    const { said, error } = await heard([{ type: 'response.output_item.done', output_index: 0, item }, end]);
    expect(error).toBeUndefined();
    expect(said.find((event) => event.type === 'search')).toMatchObject({ search: { found } });
  });

  it.each([
    ['a text', 'x'],
    ['damaged items', [null, 7, {}, { type: {} }]],
    ['an item with an odd type', [{ type: 'constructor' }]],
  ])('goes on when its whole output is %s', async (_, output) => {
    const message = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [] };
    const cache = { type: 'cache_miss', reason: { toString: 1 } };
    const response = { status: 'completed', output, usage: USAGE, prompt_cache_diagnostics: cache };
    const { said, error } = await heard([
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response },
    ]);
    expect(error).toBeUndefined();
    const kept = output.at(0) === 'x' || output.length > 1 ? [message] : output;
    expect(said.find((event) => event.type === 'opaque')).toMatchObject({ block: { value: kept } });
  });

  it('says that it failed when the reason is no text', async () => {
    const { error } = await heard([{ type: 'error', code: 'x', message: { toString: 1 } }]);
    expect(String(error)).toContain('failed while it answered: no reason given');
  });
});
