import OpenAI from 'openai';
import type { ResponseCreateParamsNonStreaming, ResponseInputItem, Tool } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';
import { type ALL, ECHO, SUM, TIME } from './tools';

let standIn: StandIn;
let client: OpenAI;
beforeAll(async () => {
  standIn = await startStandIn();
  client = new OpenAI({ apiKey: KEYS.openai, baseURL: `${standIn.url}/v1`, maxRetries: 1 });
});
beforeEach(() => standIn.faults.clear());
afterAll(() => standIn.close());

type Wanted = (typeof ALL)[number];
const fn = ({ name, description, schema }: Wanted, rest = {}) => ({
  type: 'function' as const,
  name,
  description,
  parameters: schema,
  strict: false,
  ...rest,
});
const deferred = (tool: Wanted) => fn(tool, { defer_loading: true });
const SEARCH: Tool = { type: 'tool_search' };
const CLIENT: Tool = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools',
  parameters: { type: 'object', properties: { queries: { type: 'array' } } },
};
const NAMESPACE: Tool = {
  type: 'namespace',
  name: 'everything',
  description: 'Sums and echoes numbers',
  tools: [deferred(SUM), deferred(ECHO)],
};

function request(
  input: string | ResponseInputItem[],
  rest: Partial<ResponseCreateParamsNonStreaming> = {},
): ResponseCreateParamsNonStreaming {
  return {
    model: 'gpt-5.4',
    store: false,
    include: ['reasoning.encrypted_content'],
    input,
    tools: [SEARCH, NAMESPACE, deferred(TIME)],
    ...rest,
  };
}
const refusal = (body: ResponseCreateParamsNonStreaming) =>
  client.responses.create(body).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
const user = (content: string): ResponseInputItem => ({ role: 'user', content });
/** The input of the next round: the conversation so far, and `42` for each call. */
function continued(input: ResponseInputItem[], output: readonly unknown[]): ResponseInputItem[] {
  const items = output as ResponseInputItem[];
  const calls = items.filter((item) => item.type === 'function_call');
  return [
    ...input,
    ...items,
    ...calls.map((call) => ({ type: 'function_call_output' as const, call_id: call.call_id, output: '42' })),
  ];
}

describe('The stand-in for the Responses API', () => {
  it('opens the fitting namespace, calls from it, and wants it back', async () => {
    const input = [user('get-sum a=2 b=40')];
    const first = await client.responses.create(request(input));
    expect(first.output).toMatchObject([
      { type: 'reasoning' },
      { type: 'tool_search_call', execution: 'server', call_id: null, arguments: { paths: ['everything'] } },
      { type: 'tool_search_output', tools: [{ type: 'namespace', tools: [{ name: SUM.name }, { name: ECHO.name }] }] },
      { type: 'function_call', name: SUM.name, namespace: 'everything', arguments: '{"a":2,"b":40}' },
    ]);
    const items = continued(input, first.output);
    const second = await client.responses.create(request(items));
    expect(second.output_text).toBe('42');
    const lost = items.map((item) => (item.type === 'function_call' ? { ...item, namespace: undefined } : item));
    expect(await refusal(request(lost))).toContain(`Missing namespace for function_call '${SUM.name}'`);
  });

  it('loads a function on its own under its own name', async () => {
    const { output } = await client.responses.create(request('clock now city=Zürich'));
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name: TIME.name, namespace: TIME.name });
  });

  it('lets the client search, and takes the tools it returns', async () => {
    const tools = [CLIENT, NAMESPACE];
    const input = [user('get-sum a=2 b=40')];
    const first = await client.responses.create(request(input, { tools }));
    const call = first.output.at(-1);
    expect(call).toMatchObject({ type: 'tool_search_call', execution: 'client', arguments: { queries: ['get-sum'] } });
    const asked = [...input, ...(first.output as ResponseInputItem[])];
    expect(await refusal(request(asked, { tools }))).toContain('No tool search output found');
    const answer = {
      type: 'tool_search_output',
      execution: 'client',
      status: 'completed',
      call_id: call?.type === 'tool_search_call' ? call.call_id : '',
      tools: [NAMESPACE],
    };
    const second = await client.responses.create(request([...asked, answer as ResponseInputItem], { tools }));
    expect(second.output.at(-1)).toMatchObject({ type: 'function_call', name: SUM.name, namespace: 'everything' });
  });

  it('streams its answers; a search’s call id differs at the end', async () => {
    const stream = client.responses.stream({
      ...request('get-sum a=2 b=40', { tools: [CLIENT, NAMESPACE] }),
      stream: true,
    });
    const ids: (string | null)[] = [];
    for await (const event of stream) {
      if (
        (event.type === 'response.output_item.added' || event.type === 'response.output_item.done') &&
        event.item.type === 'tool_search_call'
      )
        ids.push(event.item.call_id);
    }
    expect(ids).toHaveLength(2);
    expect(ids[0]).not.toBe(ids[1]);
    expect((await stream.finalResponse()).usage?.input_tokens).toBeGreaterThan(0);
  });

  const call = { type: 'function_call', call_id: 'call_1', name: ECHO.name, arguments: '{}', namespace: 'everything' };
  it.each<[string, Partial<ResponseCreateParamsNonStreaming>, string]>([
    ['deferred tools without a search', { tools: [NAMESPACE] }, 'Deferred tools require tools.tool_search'],
    [
      'an empty description of a client’s search',
      { tools: [{ ...CLIENT, description: '' }, NAMESPACE] },
      'empty string',
    ],
    ['a name out of pattern', { tools: [fn({ ...SUM, name: 'get sum' })] }, 'does not match pattern'],
    ['a name that is too long', { tools: [fn({ ...SUM, name: 'x'.repeat(65) })] }, 'maximum length 64'],
    ['a strict schema that isn’t', { tools: [fn(SUM, { strict: true })] }, "'additionalProperties' is required"],
    [
      'a schema that is no object',
      { tools: [fn({ ...SUM, schema: { type: 'string' } as never })] },
      'Invalid schema for function',
    ],
    [
      'a namespace without a description',
      { tools: [SEARCH, { ...NAMESPACE, description: '' } as Tool] },
      'tools[1].description',
    ],
    ['an unknown field', { tools: [fn(SUM, { server: 'x' })] }, "Unknown parameter: 'tools[0].server'"],
    [
      'a call without its output',
      { input: [user('x'), call as ResponseInputItem] },
      'No tool output found for function call call_1',
    ],
    [
      'an output without its call',
      { input: [user('x'), { type: 'function_call_output', call_id: 'call_2', output: '' }] },
      'No tool call found',
    ],
    [
      'reasoning that it can’t read',
      { input: [user('x'), { type: 'reasoning', id: 'rs_1', summary: [] }] },
      'not persisted',
    ],
    [
      'a choice of a tool that isn’t there',
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'gone' }] } },
      "named 'gone' not found",
    ],
    ['a search by a model that has none', { model: 'gpt-4.1' }, 'not supported with gpt-4.1'],
    ['an unknown model', { model: 'gpt-0' }, 'does not exist'],
  ])('refuses %s', async (_, rest, message) => {
    expect(await refusal(request('get-sum a=1 b=2', rest))).toContain(message);
  });

  it('takes only what allowed_tools leaves', async () => {
    const tools = [fn(SUM), fn(ECHO)];
    const choice = {
      type: 'allowed_tools' as const,
      mode: 'auto' as const,
      tools: [{ type: 'function', name: ECHO.name }],
    };
    const { output } = await client.responses.create(request('get-sum a=1 b=2', { tools, tool_choice: choice }));
    expect(output.map((item) => item.type)).toEqual(['reasoning', 'message']);
  });

  it('caches the prefix that it has seen', async () => {
    const input = [user('get-sum a=2 b=40')];
    const cached = async (items: ResponseInputItem[]) =>
      (await client.responses.create(request(items, { instructions: 'Cache me.'.repeat(600) }))).usage
        ?.input_tokens_details.cached_tokens;
    const first = await client.responses.create(request(input, { instructions: 'Cache me.'.repeat(600) }));
    expect(await cached(continued(input, first.output))).toBeGreaterThan(0);
  });

  it('refuses a wrong key as the service does, quoting a part', async () => {
    const other = new OpenAI({ apiKey: 'sk-proj-wrong-key-0000', baseURL: `${standIn.url}/v1`, maxRetries: 0 });
    await expect(other.responses.create(request('x'))).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      message: expect.stringContaining('sk-proj-***'),
    });
    expect(JSON.stringify(standIn.requests)).not.toContain('wrong-key');
  });

  it('makes the mistakes that it is asked for', async () => {
    expect(await refusal(request('x [[fault:500]]'))).toContain('500');
    expect(await refusal(request(`x [[fault:reject:${ECHO.name}]]`))).toContain(
      `Invalid schema for function '${ECHO.name}'`,
    );
    expect((await client.responses.create(request('x [[fault:length]]'))).incomplete_details).toEqual({
      reason: 'max_output_tokens',
    });
  });

  it('refuses choices about the cache if the model has none', async () => {
    const asked = (model: string, options: object) =>
      refusal(request('hello', { model, prompt_cache_options: options } as never));
    expect(await asked('gpt-5.4', { mode: 'explicit' })).toContain("Unknown parameter: 'prompt_cache_options'.");
    expect(await asked('gpt-6-sol', { mode: 'often' })).toContain('Supported values are');
    expect(await asked('gpt-6-sol', { mode: 'explicit', comparison_response_id: 'resp_1' })).toBe('accepted');
  });

  it('caches for each key, and with explicit breakpoints only up to them', async () => {
    const long = 'word '.repeat(3_000);
    const ask = async (key: string, rest: object = {}) => {
      const content = [{ type: 'input_text', text: long, ...rest }];
      const options = { tools: [], prompt_cache_key: key, prompt_cache_options: { mode: 'explicit' } };
      const input = [{ role: 'user', content }, user('and then?')] as never;
      const { usage } = await client.responses.create(request(input, { model: 'gpt-6-sol', ...options } as never));
      return usage?.input_tokens_details.cached_tokens;
    };
    const marked = { prompt_cache_breakpoint: { mode: 'explicit' } };
    expect(await ask('a')).toBe(0);
    expect(await ask('a')).toBe(0);
    expect(await ask('b', marked)).toBe(0);
    expect(await ask('b', marked)).toBeGreaterThan(1_024);
    expect(await ask('c', marked)).toBe(0);
  });
});
