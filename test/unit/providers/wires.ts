// Anthropic's and OpenAI's services in one form, for the contract tests of the adapters.
import type { Json, ToolDefinition } from '../../../src/core/catalog/tool';
import { EMPTY_REQUEST, type ModelPort, type ModelRequest } from '../../../src/core/ports';
import { portOf } from './ports';

export type Event = { readonly type: string; readonly [key: string]: unknown };
type Body = { readonly [key: string]: Json };

/** A question without tools, unless a test overrides this. */
export const requestOf = (rest: Partial<ModelRequest> = {}): ModelRequest => ({
  ...EMPTY_REQUEST,
  transcript: [{ kind: 'user', text: 'hi' }],
  strategy: 'bm25',
  ...rest,
});

/** The definition of a tool with one required argument. */
export const definition = (id: string, rest: Partial<ToolDefinition> = {}): ToolDefinition => ({
  id,
  server: id.split('/')[0] ?? '',
  name: id.replace('/', '_'),
  description: `Does ${id}.`,
  inputSchema: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  ...rest,
});

/** One of the two services for the contract tests: the same exchange in its own format. */
export interface Wire {
  readonly name: 'anthropic' | 'openai';
  /** The service's name for the user. */
  readonly service: string;
  readonly models: string;
  readonly setting: string;
  create(fetcher: typeof fetch, baseUrl?: string): ModelPort;
  /**
   * A whole reply of a text: 30 tokens of input, of which 7 were read from the cache and 3 written to it, and 5 of
   * output.
   */
  reply(text: string): readonly Event[];
  /** A reply that the service pauses before its end. */
  readonly paused: readonly Event[];
  /** A whole reply of calls. */
  calls(calls: readonly { readonly id: string; readonly name: string; readonly input: object }[]): readonly Event[];
  /** The input tokens that the service reports before the reply's end; undefined if it reports none. */
  readonly soFar: number | undefined;
  /** A 400 that refuses the definition at a place in the list of tools. */
  refuseTool(place: number, name: string): Response;
  /** A 400 that refuses a tool's `defer_loading`. */
  refuseDeferring(place: number): Response;
  failure(status: number, message: string, headers?: { readonly [name: string]: string }): Response;
  /** Names of the tools that a request contains, including deferred ones. */
  toolNames(body: Body): readonly string[];
  /** The parts of the only result in a request. */
  resultParts(body: Body): readonly Body[];
  /** Answers a count. */
  count(tokens: number): Response;
  /** Whether an address is that of a count. */
  isCount(url: string): boolean;
}

export const KEY = 'sk-test-0123456789abcdef';

const json = (status: number, body: object, headers: object = {}) =>
  Response.json(body, { status, headers: { ...headers } });
const list = (value: Json | undefined) => (Array.isArray(value) ? (value as readonly Body[]) : []);

export const ANTHROPIC: Wire = {
  name: 'anthropic',
  service: 'Anthropic',
  models: 'Claude',
  setting: 'toolsearch.anthropic.baseUrl',
  create: (fetch, baseUrl = 'https://anthropic.test') =>
    portOf('claude-sonnet-4-6', { name: 'Model', apiKey: KEY, baseUrl, fetch }),
  reply: (text) => [
    { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 20, output_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 3 },
    },
    { type: 'message_stop' },
  ],
  paused: [
    { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { input_tokens: 20, output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  calls: (calls) => [
    { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } },
    ...calls.flatMap(({ id, name, input }, index): Event[] => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 20, output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  soFar: 20,
  refuseTool: (place) => ANTHROPIC.failure(400, `tools.${place}.custom.input_schema: JSON schema is invalid.`),
  refuseDeferring: (place) =>
    ANTHROPIC.failure(400, `tools.${place}.custom.defer_loading: Extra inputs are not permitted`),
  failure: (status, message, headers) =>
    json(
      status,
      { type: 'error', error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message } },
      headers,
    ),
  toolNames: (body) => list(body.tools).map((tool) => String(tool.name)),
  resultParts: (body) => list(list(list(body.messages).at(-1)?.content)[0]?.content),
  count: (tokens) => Response.json({ input_tokens: tokens }),
  isCount: (url) => url.endsWith('/count_tokens'),
};

const usage = { input_tokens: 30, output_tokens: 5, input_tokens_details: { cached_tokens: 7, cache_write_tokens: 3 } };

export const OPENAI: Wire = {
  name: 'openai',
  service: 'OpenAI',
  models: 'GPT',
  setting: 'toolsearch.openai.baseUrl',
  create: (fetch, baseUrl = 'https://openai.test/v1') =>
    portOf('gpt-5.4', { name: 'Model', apiKey: KEY, baseUrl, fetch }),
  reply: (text) => {
    const item = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    };
    return [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.output_text.delta', output_index: 0, delta: text },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage } },
    ];
  },
  paused: [
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'program', id: 'cm_1', call_id: 'call_1', code: '1', fingerprint: 'fp' },
    },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [], usage } },
  ],
  calls: (calls) => {
    const output = calls.map(({ id, name, input }, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }));
    return [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [], usage: null } },
      ...output.flatMap((item, output_index): Event[] => [
        { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output, usage } },
    ];
  },
  // The service reports nothing before the end.
  soFar: undefined,
  refuseTool: (_, name) =>
    json(400, { error: { message: `Invalid schema for function '${name}': no.`, type: 'invalid_request_error' } }),
  refuseDeferring: (place) =>
    json(400, {
      error: {
        message: `Unknown parameter: 'tools[${place}].defer_loading'.`,
        param: `tools[${place}].defer_loading`,
        code: 'unknown_parameter',
      },
    }),
  failure: (status, message, headers) => json(status, { error: { message, type: 'api_error', code: null } }, headers),
  toolNames: (body) =>
    list(body.tools).flatMap((tool) =>
      tool.type === 'namespace' ? list(tool.tools).map(({ name }) => String(name)) : [String(tool.name ?? tool.type)],
    ),
  resultParts: (body) => list(list(body.input).at(-1)?.output),
  count: (tokens) => Response.json({ object: 'response.input_tokens', input_tokens: tokens }),
  isCount: (url) => url.endsWith('/input_tokens'),
};

/** A streamed answer; `open` leaves its connection open and silent at the end, until the signal aborts. */
export function streamed(
  events: readonly Event[],
  { open = false, signal }: { readonly open?: boolean; readonly signal?: AbortSignal | null | undefined } = {},
): Response {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (!open) controller.close();
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}
