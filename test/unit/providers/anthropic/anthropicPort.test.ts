import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/core/ports';
import { said, user } from '../../../data/items';
import { TODAY } from '../../core/conversation/anyTranscript';
import { eventsOf, failure, never, portOver, reply, requestOf, streamed } from './wire';

const { sum, echo } = TODAY;
const words = (events: readonly unknown[]) =>
  events.at(-1) instanceof ModelError ? (events.at(-1) as ModelError).message : 'no error';
const request = requestOf({ tools: [sum], deferred: [echo] });

const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
const delta = (index: number, type: string, rest: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...rest },
});
const stop = (index: number) => ({ type: 'content_block_stop', index });

/** A port whose service pauses after one word and says the other when asked to go on. */
const pausing = () =>
  portOver([reply([{ type: 'text', text: 'One' }], 'pause_turn'), reply([{ type: 'text', text: 'two' }])]);

describe('a reply of Claude', () => {
  it('comes as text, searches, calls, usage, and whole for replay', async () => {
    const content = [
      { type: 'text', text: 'I search.' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: { query: 'echo', limit: 3 } },
      {
        type: 'tool_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: {
          type: 'tool_search_tool_search_result',
          tool_references: [{ type: 'tool_reference', tool_name: 'math_echo' }],
        },
      },
      { type: 'text', text: 'Found it.' },
      { type: 'tool_use', id: 'toolu_1', name: 'math_echo', input: { x: 'hi' } },
    ];
    const { port, sent } = portOver([reply(content, 'tool_use')]);
    const usage = { inputTokens: 30, outputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 3 };
    expect(await eventsOf(port, request)).toEqual([
      { type: 'text', text: 'I search.' },
      { type: 'search', search: { callId: 'srvtoolu_1', queries: ['echo'], strategy: 'bm25', found: ['math_echo'] } },
      { type: 'text', text: '\n\nFound it.' },
      { type: 'call', callId: 'toolu_1', name: 'math_echo', input: { x: 'hi' } },
      { type: 'usage', usage },
      { type: 'opaque', block: { wire: 'anthropic', model: 'claude-sonnet-4-6', value: content } },
    ]);
    expect(sent[0]).toMatchObject({ model: 'claude-sonnet-4-6', stream: true });
  });

  it('is put together from its pieces: text, input, thinking and its signature', async () => {
    const { port } = portOver([
      streamed([
        { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } },
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, 'thinking_delta', { thinking: 'Let me ' }),
        delta(0, 'thinking_delta', { thinking: 'see.' }),
        delta(0, 'signature_delta', { signature: 'c2ln' }),
        stop(0),
        start(1, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: {} }),
        delta(1, 'input_json_delta', { partial_json: '{"patt' }),
        delta(1, 'input_json_delta', { partial_json: 'ern":"a|b"}' }),
        stop(1),
        start(2, {
          type: 'tool_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: { type: 'tool_search_tool_result_error', error_code: 'brand_new', error_message: 'no' },
        }),
        stop(2),
        start(3, { type: 'tool_use', id: 'toolu_1', name: 'math_sum', input: {} }),
        delta(3, 'input_json_delta', { partial_json: '{"x":"ü' }),
        delta(3, 'input_json_delta', { partial_json: '"}' }),
        stop(3),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ]),
    ]);
    const events = await eventsOf(port, request);
    expect(events).toContainEqual({
      type: 'search',
      search: { callId: 'srvtoolu_1', queries: ['a|b'], strategy: 'regex', found: [], error: 'brand_new: no' },
    });
    expect(events).toContainEqual({ type: 'call', callId: 'toolu_1', name: 'math_sum', input: { x: 'ü' } });
    expect(events).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 10, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    expect(events.at(-1)).toMatchObject({
      block: {
        value: [
          { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
          { input: { pattern: 'a|b' } },
          {},
          {},
        ],
      },
    });
  });

  it('keeps the query of a search whose result opens the next reply', async () => {
    const asked = { type: 'server_tool_use', id: 'srv_1', name: 'tool_search_tool_bm25', input: { query: 'echo' } };
    const result = {
      type: 'tool_search_tool_result',
      tool_use_id: 'srv_1',
      content: { type: 'tool_search_tool_search_result', tool_references: [] },
    };
    const { port } = portOver([reply([result])]);
    const transcript = [user('hi'), said('', [], { opaque: [{ wire: 'anthropic', value: [asked] }] })];
    expect((await eventsOf(port, { ...request, transcript }))[0]).toMatchObject({
      search: { callId: 'srv_1', queries: ['echo'], found: [] },
    });
  });

  it('goes on after the service paused it, and adds up costs', async () => {
    const { port, sent } = pausing();
    const events = await eventsOf(port, request);
    expect(sent[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'One' }] },
    ]);
    expect(events.filter((event) => 'type' in event && event.type === 'usage').at(-1)).toMatchObject({
      usage: { inputTokens: 60, outputTokens: 10, cacheReadTokens: 14, cacheWriteTokens: 6 },
    });
    expect(events.at(-1)).toMatchObject({ block: { value: [{ text: 'One' }, { text: 'two' }] } });
  });

  it('reports a first part’s usage as provisional: another part may break', async () => {
    const { port } = pausing();
    const usages: [number, boolean][] = [];
    for await (const event of port.send(request, new AbortController().signal))
      if (event.type === 'usage') usages.push([event.usage.inputTokens, event.soFar === true]);
    const whole = usages.findIndex(([input, soFar]) => input === 30 && !soFar);
    expect(usages[whole + 1]).toEqual([30, true]);
    expect(usages.at(-1)).toEqual([60, false]);
  });

  it('hands a call with cut input to the model unchanged', async () => {
    const { port } = portOver([
      streamed([
        start(0, { type: 'tool_use', id: 'toolu_1', name: 'math_sum', input: {} }),
        delta(0, 'input_json_delta', { partial_json: '{"x":"unfin' }),
        stop(0),
        { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ]),
    ]);
    const events = await eventsOf(port, request);
    expect(events[0]).toMatchObject({ type: 'call', input: '{"x":"unfin' });
    expect(events).toContainEqual(
      expect.objectContaining({ block: expect.objectContaining({ value: [expect.objectContaining({ input: {} })] }) }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'warning', message: expect.stringMatching(/answer is cut/) });
  });
});

describe('what the service refuses', () => {
  const ok = () => reply([{ type: 'text', text: 'ok' }]);
  const HTML = { 'content-type': 'text/html' };

  it('are examples alone, if the examples are wrong', async () => {
    const withExamples = { ...request, tools: [{ ...sum, examples: [{ args: { x: 1 } }] }] };
    const { port, sent } = portOver([failure(400, 'tools.1.custom.input_examples.0: 1 is not of type string'), ok]);
    expect((await eventsOf(port, withExamples))[0]).toMatchObject({
      message: expect.stringMatching(/examples of math\/sum are left out/),
    });
    expect(sent[1]?.tools).toMatchObject([{}, { name: 'math_sum' }, {}]);
    expect(JSON.stringify(sent[1])).not.toContain('input_examples');
  });

  it('is a forced call: then it is asked for without', async () => {
    const { port, sent } = portOver([
      failure(400, 'tool_choice: Thinking may not be enabled when tool_choice forces tool use.'),
      ok,
    ]);
    await eventsOf(port, { ...request, required: ['math_sum'] });
    expect(sent.map((body) => 'tool_choice' in body)).toEqual([true, false]);
  });

  it('is a kind of block, which is left out from then on', async () => {
    const refusal =
      "messages.1.content.0: Input tag 'musing' found using 'type' does not match any of the expected tags";
    const { port, sent } = portOver([failure(400, refusal), ok, ok]);
    const value = [
      { type: 'musing', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ];
    const earlier = said('Yes.', [], { opaque: [{ wire: 'anthropic', value }] });
    const asked = { ...request, transcript: [user('hi'), earlier, user('go on')] };
    for (let question = 0; question < 2; question++) expect(words(await eventsOf(port, asked))).toBe('no error');
    expect(sent.map((body) => JSON.stringify(body).includes('musing'))).toEqual([true, false, false]);
  });

  it.each([
    [failure(404, 'model: claude-gone', 'not_found_error'), /isn't available.*Choose another model/, 'model'],
    [failure(400, 'Your credit balance is low'), /refused the request \(HTTP 400\): Your credit balance/, undefined],
    [new Response('<html>No</html>', { status: 404, headers: HTML }), /answered 404.*baseUrl/, 'model'],
  ])('comes in words for the user: %#', async (answer, expected, refusal) => {
    const { port } = portOver([answer]);
    const events = await eventsOf(port, request);
    expect(words(events)).toMatch(expected);
    expect((events.at(-1) as ModelError).refusal).toBe(refusal);
  });
});

describe('counting', () => {
  const count = (input_tokens: number) => Response.json({ input_tokens });

  it('takes off what every count holds, which is asked once', async () => {
    const { port, sent } = portOver([count(8), count(110), count(400), count(900), count(910), count(700)]);
    expect(await port.countTokens('some text', never)).toBe(103);
    expect(await port.countDefinitions?.([sum, echo], never)).toBe(500);
    expect(await port.countDefinitions?.([sum], never)).toBe(510);
    expect(await port.countDefinitions?.([], never)).toBe(0);
    expect(await port.countRequest?.(request, never)).toBe(700);
    expect(sent[3]?.tools).toMatchObject([{ name: 'x' }, { name: 'math_sum' }, { name: 'math_echo' }]);
    expect(sent[5]?.tools).toMatchObject([{ name: 'math_sum' }, { name: 'math_echo', defer_loading: true }]);
  });

  it('counts deferred tools beside a small request if the service wants that', async () => {
    const { port, sent } = portOver([
      failure(400, 'At least one tool must have defer_loading=false.'),
      count(400),
      count(420),
      count(720),
      count(730),
    ]);
    expect(await port.countRequest?.({ ...request, tools: [] }, never)).toBe(700);
    expect(sent[3]?.tools).toMatchObject([{ name: 'x' }, { name: 'math_echo', defer_loading: true }]);
    expect(await port.countRequest?.({ ...request, tools: [] }, never)).toBe(710);
  });
});
