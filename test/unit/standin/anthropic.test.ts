import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';
import { ALL, ECHO, SUM } from './tools';

let standIn: StandIn;
let client: Anthropic;
beforeAll(async () => {
  standIn = await startStandIn();
  client = new Anthropic({ apiKey: KEYS.anthropic, baseURL: standIn.url, maxRetries: 1 });
});
beforeEach(() => standIn.faults.clear());
afterAll(() => standIn.close());

type Wanted = (typeof ALL)[number];
const custom = ({ name, description, schema }: Wanted, rest = {}): ToolUnion => ({
  name,
  description,
  input_schema: schema,
  ...rest,
});
const deferred = (tool: Wanted) => custom(tool, { defer_loading: true });
const BM25: ToolUnion = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
const REGEX: ToolUnion = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };

function request(prompt: string, rest: Partial<MessageCreateParamsNonStreaming> = {}): MessageCreateParamsNonStreaming {
  return {
    model: 'claude-sonnet-4-6',
    max_tokens: 500,
    messages: [{ role: 'user', content: prompt }],
    tools: [BM25, ...ALL.map(deferred)],
    ...rest,
  };
}
const refusal = (body: MessageCreateParamsNonStreaming) =>
  client.messages.create(body).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('The stand-in for the Messages API', () => {
  it.each([BM25, REGEX])('searches with $name, calls what it found and answers with the result', async (search) => {
    const body = request('get-sum a=2 b=40', { tools: [search, ...ALL.map(deferred)] });
    const first = await client.messages.create(body);
    expect(first.content.map((block) => block.type)).toEqual([
      'text',
      'server_tool_use',
      'tool_search_tool_result',
      'tool_use',
    ]);
    const call = first.content.at(-1);
    expect(call).toMatchObject({ name: SUM.name, input: { a: 2, b: 40 } });
    const messages: MessageParam[] = [
      ...body.messages,
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call?.type === 'tool_use' ? call.id : '', content: '42' }],
      },
    ];
    const second = await client.messages.create({ ...body, messages });
    expect(second.content).toEqual([{ type: 'text', text: '42' }]);
    const again = await client.messages.create({
      ...body,
      messages: [...messages, { role: 'assistant', content: '42' }, { role: 'user', content: 'get-sum a=1 b=1' }],
    });
    expect(again.content.map((block) => block.type)).toEqual(['tool_use']);
  });

  it('streams what it answers, with both samplings’ usage at the end', async () => {
    const stream = client.messages.stream(request('clock now city=Zürich'));
    const usages: number[] = [];
    stream.on('streamEvent', (event) => {
      if (event.type === 'message_start') usages.push(event.message.usage.input_tokens);
      if (event.type === 'message_delta') usages.push(event.usage.input_tokens ?? 0);
    });
    const message = await stream.finalMessage();
    expect(message.content.at(-1)).toMatchObject({ name: 'clock_now', input: { city: 'Zürich' } });
    expect(usages[1]).toBeGreaterThan(usages[0] ?? 0);
  });

  it('pauses in a search, or leaves its result to the next reply', async () => {
    const tools = [BM25, custom(ECHO), deferred(SUM)];
    const ask = (messages: MessageParam[]) => client.messages.create(request('', { tools, messages }));
    const types = (message: Anthropic.Message) => message.content.map((block) => block.type);
    for (const [fault, stop] of [
      ['pause', 'pause_turn'],
      ['late', 'tool_use'],
    ]) {
      const prompt: MessageParam = { role: 'user', content: `get-sum a=2 b=40 message=hi [[fault:${fault}]]` };
      const first = await ask([prompt]);
      expect(first.stop_reason).toBe(stop);
      const call = first.content.find((block) => block.type === 'tool_use');
      const results = call
        ? [{ role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: call.id, content: 'hi' }] }]
        : [];
      const second = await ask([prompt, { role: 'assistant', content: first.content }, ...results]);
      expect(types(second)).toEqual(['tool_search_tool_result', call ? 'text' : 'tool_use']);
    }
  });

  it('calls a client’s search tool and takes its references', async () => {
    const searchTool = custom({ ...ECHO, name: 'search_tools' });
    const tools = [searchTool, ...ALL.map(deferred)];
    const first = await client.messages.create(request('get-sum a=2 b=40', { tools }));
    expect(first.content).toMatchObject([{ type: 'tool_use', name: 'search_tools', input: { queries: ['get-sum'] } }]);
    const answer = (content: unknown[], ...rest: unknown[]) =>
      [
        { role: 'user', content: 'get-sum a=2 b=40' },
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: first.content[0]?.type === 'tool_use' ? first.content[0].id : '',
              content,
            },
            ...rest,
          ],
        },
      ] as MessageParam[];
    const second = await client.messages.create(
      request('', { tools, messages: answer([{ type: 'tool_reference', tool_name: SUM.name }]) }),
    );
    expect(second.content).toMatchObject([{ type: 'tool_use', name: SUM.name }]);
    // The search's text besides its references is no new question.
    const remark = { type: 'text', text: `1 weaker match: ${ECHO.name} ("select:NAME" returns one).` };
    const third = await client.messages.create(
      request('', { tools, messages: answer([{ type: 'tool_reference', tool_name: SUM.name }], remark) }),
    );
    expect(third.content).toMatchObject([{ type: 'tool_use', name: SUM.name, input: { a: 2, b: 40 } }]);
    expect(await refusal(request('', { tools, messages: answer([]) }))).toContain('at least 1 item');
    expect(
      await refusal(request('', { tools, messages: answer([{ type: 'tool_reference', tool_name: 'gone' }]) })),
    ).toContain("Tool reference 'gone' not found in available tools");
  });

  const user = (content: unknown): MessageParam => ({ role: 'user', content }) as MessageParam;
  const assistant = (content: unknown): MessageParam => ({ role: 'assistant', content }) as MessageParam;
  const used = { type: 'tool_use', id: 'toolu_1', name: SUM.name, input: {} };
  const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: { query: 'x' } };
  it.each<[string, Partial<MessageCreateParamsNonStreaming>, string]>([
    [
      'a request whose tools are all deferred',
      { tools: ALL.map(deferred) },
      'At least one tool must have defer_loading=false',
    ],
    [
      'cache_control on a deferred tool',
      { tools: [BM25, custom(SUM, { defer_loading: true, cache_control: { type: 'ephemeral' } })] },
      'cannot use prompt caching',
    ],
    [
      'a deferred search tool',
      { tools: [{ ...BM25, defer_loading: true }, custom(SUM)] },
      'cannot have defer_loading=true',
    ],
    [
      'a result for a server’s call',
      {
        messages: [
          user('x'),
          assistant([searched]),
          user([{ type: 'tool_result', tool_use_id: 'srvtoolu_1', content: 'y' }]),
        ],
      },
      'unexpected `tool_use_id`',
    ],
    [
      'a call without its result',
      { messages: [user('x'), assistant([used]), user('and?')] },
      'without `tool_result` blocks',
    ],
    [
      'a reference to a tool that is gone',
      {
        messages: [
          user('x'),
          assistant([
            searched,
            {
              type: 'tool_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: {
                type: 'tool_search_tool_search_result',
                tool_references: [{ type: 'tool_reference', tool_name: 'gone' }],
              },
            },
          ]),
          user('and?'),
        ],
      },
      "Tool reference 'gone' not found",
    ],
    ['a name out of pattern', { tools: [custom({ ...SUM, name: 'get sum' })] }, 'should match pattern'],
    ['two tools of one name', { tools: [custom(SUM), custom(SUM)] }, 'must be unique'],
    [
      'a schema that is no object',
      { tools: [custom({ ...SUM, schema: { type: 'string' } as never })] },
      'input_schema.type',
    ],
    ['an unknown field', { tools: [custom(SUM, { server: 'x' })] }, 'Extra inputs are not permitted'],
    ['an unknown block', { messages: [user([{ type: 'novel' }])] }, 'does not match any of the expected tags'],
    ['an empty text', { messages: [user([{ type: 'text', text: '' }])] }, 'non-empty'],
    [
      'thinking that was changed',
      {
        messages: [
          user('x'),
          assistant([{ type: 'thinking', thinking: 'hm', signature: 'no' }, used]),
          user([{ type: 'tool_result', tool_use_id: 'toolu_1' }]),
        ],
      },
      'Invalid `signature`',
    ],
    [
      'five cache breakpoints',
      { system: [1, 2, 3, 4, 5].map((n) => ({ type: 'text', text: String(n), cache_control: { type: 'ephemeral' } })) },
      'maximum of 4',
    ],
    ['a search by a model that has none', { model: 'claude-opus-4-1' }, 'does not support'],
    ['an unknown model', { model: 'claude-0' }, 'not_found_error'],
  ])('refuses %s', async (_, rest, message) => {
    expect(await refusal(request('get-sum a=1 b=2', rest))).toContain(message);
  });

  it('counts tokens without deferred tools; refuses to with a server tool', async () => {
    const count = (tools: ToolUnion[]) =>
      client.messages.countTokens({
        model: 'claude-sonnet-4-6',
        messages: [{ role: 'user', content: 'hi' }],
        tools: tools as never,
      });
    const alone = await count([custom(ECHO)]);
    expect(await count([custom(ECHO), deferred(SUM)])).toEqual(alone);
    expect((await count([custom(ECHO), custom(SUM)])).input_tokens).toBeGreaterThan(alone.input_tokens);
    await expect(count([BM25, deferred(SUM)])).rejects.toThrow('Server tools are not supported');
  });

  it('counts a thought the same, however many came before it', async () => {
    const messages: MessageParam[] = [];
    const written: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      messages.push({ role: 'user', content: 'Hello' });
      const body = request('', { model: 'claude-opus-5-5', messages, tools: [], thinking: { type: 'adaptive' } });
      const { content, usage } = await client.messages.create(body);
      expect(content[0]?.type).toBe('thinking');
      messages.push({ role: 'assistant', content });
      written.push(usage.output_tokens);
    }
    expect(new Set(written).size).toBe(1);
  });

  it('reports a marked prefix as cached only while it stays the same', async () => {
    const ask = async (system: string) =>
      (
        await client.messages.create(
          request('get-sum a=2 b=40', {
            system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
          }),
        )
      ).usage;
    const brief = `Be brief. ${'Please. '.repeat(2_500)}`;
    const first = await ask(brief);
    expect(first).toMatchObject({
      cache_read_input_tokens: expect.any(Number),
      cache_creation_input_tokens: expect.any(Number),
    });
    expect(first.cache_creation_input_tokens).toBeGreaterThan(0);
    expect((await ask(brief)).cache_creation_input_tokens).toBe(0);
    expect((await ask(`Now ${brief}`)).cache_creation_input_tokens).toBeGreaterThan(0);
  });

  it('refuses a wrong key and keeps no key it was sent', async () => {
    const other = new Anthropic({ apiKey: 'sk-ant-wrong', baseURL: standIn.url, maxRetries: 0 });
    await expect(other.messages.create(request('x'))).rejects.toMatchObject({
      status: 401,
      type: 'authentication_error',
    });
    expect(JSON.stringify(standIn.requests)).not.toContain('sk-ant-');
  });

  it('does wrong on demand: by a prompt’s marker, or next request', async () => {
    const status = (prompt: string) =>
      client.messages.create(request(prompt)).then(
        () => 200,
        (error) => error.status,
      );
    expect(await status('x [[fault:529]]')).toBe(529);
    expect(await status('x [[fault:retry*1]]')).toBe(200);
    standIn.faults.tell('400');
    expect(await status('x')).toBe(400);
    expect(await status('x')).toBe(200);
    expect(await refusal(request(`x [[fault:reject:${SUM.name}]]`))).toMatch(
      /^400 .*tools\.1\.custom\.input_schema: JSON schema is invalid/,
    );
    await expect(client.messages.stream(request('get-sum a=1 b=2 [[fault:cut]]')).finalMessage()).rejects.toThrow();
  });
});
