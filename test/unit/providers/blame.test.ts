import { describe, expect, it } from 'vitest';
import type { Json, ToolDefinition } from '../../../src/core/catalog/tool';
import { ModelError, type ModelEvent, type ModelPort, type ModelRequest } from '../../../src/core/ports';
import { ANTHROPIC, definition, OPENAI, requestOf, streamed, type Wire } from './wires';

const never = new AbortController().signal;
const tool = (name: string, rest: Partial<ToolDefinition> = {}) => definition(`kube/${name}`, { name, ...rest });
/** Names that a refusal may contain by accident. */
const TOOLS = 'create_namespace set_tool_choice get_output_schema programmatic_ads input custom tools 0 pay pay_more'
  .split(' ')
  .map((name) => tool(name));
const request = (rest: Partial<ModelRequest> = {}) => requestOf({ delivery: 'server', deferred: TOOLS, ...rest });

type Sent = { readonly [key: string]: Json };

/** Asks a service that gives the first requests these refusals and answers every later one. */
async function asked(wire: Wire, refusals: readonly ((sent: Sent) => Response)[], made = request()) {
  const sent: Sent[] = [];
  const port: ModelPort = wire.create(async (_url, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return refusals[sent.length - 1]?.(sent.at(-1) ?? {}) ?? streamed(wire.reply('Fine.'));
  });
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of port.send(made, never)) events.push(event);
  } catch (caught) {
    error = caught;
  }
  const before = wire.toolNames(sent[0] ?? {});
  const after = wire.toolNames(sent.at(-1) ?? {});
  return {
    requests: sent.length,
    dropped: before.filter((name) => !after.includes(name)),
    error: error instanceof ModelError ? error : undefined,
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])),
    searches: port.info.native !== undefined,
    last: sent.at(-1) ?? {},
    info: port.info,
  };
}

const place = (sent: Sent, name: string) => (sent.tools as readonly Sent[]).findIndex((it) => it.name === name);
const anthropic =
  (message: (at: (name: string) => number) => string, status = 400) =>
  (sent: Sent) =>
    ANTHROPIC.failure(
      status,
      message((name) => place(sent, name)),
    );
const openai =
  (message: string, param: string | null = null, status = 400) =>
  () =>
    Response.json({ error: { message, type: 'invalid_request_error', param, code: null } }, { status });

describe('A refusal of deferring blames no tool: the turn is planned again', () => {
  const UNKNOWN = 'defer_loading: Extra inputs are not permitted';
  /** The answer of a gateway, made from the place of a tool. */
  const gateway = (body: (at: number) => object, status: number) => (sent: Sent) =>
    Response.json(body(place(sent, 'pay')), { status });
  const replans = async (wire: Wire, refusal: (sent: Sent) => Response) => {
    const { error, dropped, searches, warnings } = await asked(wire, [refusal]);
    expect(error).toMatchObject({ replan: true });
    expect([dropped, searches, warnings]).toEqual([[], false, []]);
  };

  it.each<[string, (sent: Sent) => Response]>([
    ['Claude', anthropic((at) => `tools.${at('pay')}.custom.${UNKNOWN}`)],
    ['Claude, without a kind', anthropic((at) => `tools.${at('pay')}.${UNKNOWN}`)],
    ['a proxy in front of Claude', anthropic(() => 'Unknown name "defer_loading" at "tools[3]": Cannot find field.')],
    [
      'LiteLLM',
      anthropic(
        (at) =>
          `litellm.BadRequestError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"tools.${at('pay')}.custom.${UNKNOWN}"}}. Received Model Group=claude`,
      ),
    ],
    ['Bedrock', gateway((at) => ({ message: `tools.${at}.custom.${UNKNOWN}` }), 400)],
    ['a gateway that checks by itself', gateway((at) => ({ error: { message: `tools.${at}.${UNKNOWN}` } }), 422)],
    ['Vertex', anthropic(() => 'tool_search_tool_regex_20251119 is not supported on this model.')],
    [
      'a model without it',
      anthropic(() => "'claude-3' does not support tool types: tool_search_tool_bm25_20251119. Did you mean one of ?"),
    ],
  ])('from %s', (_, refusal) => replans(ANTHROPIC, refusal));

  const KINDS = "Supported values are: 'function', 'web_search'.";
  it.each<[string, string, (string | null)?, number?]>([
    ['GPT', "Unknown parameter: 'tools[3].defer_loading'.", 'tools[3].defer_loading'],
    ['GPT, without a place', "Unknown parameter: 'tools[3].defer_loading'."],
    ['a model without it', "Tool 'tool_search' is not supported with gpt-4.", 'tools'],
    ['a service that knows fewer kinds of tools', `Invalid value: 'tool_search'. ${KINDS}`, 'tools[0].type'],
    ['one that knows no namespaces', `Invalid value: 'namespace'. ${KINDS}`, 'tools[0].type'],
    [
      'a gateway that checks by itself',
      `('body', 'tools', 0, 'defer_loading'): Extra inputs are not permitted`,
      null,
      422,
    ],
    [
      'one that knows tags',
      "Input tag 'tool_search' found using 'type' does not match any of the expected tags: 'function'",
    ],
    ['LiteLLM', "litellm.BadRequestError: OpenAIException - Unknown parameter: 'tools[0].tools[2].defer_loading'."],
  ])('from %s', (_, ...refusal) => replans(OPENAI, openai(...refusal)));
});

const DEMANDED = definition('own/demanded');

describe('A refusal of one tool drops that one, and nothing else', () => {
  const of = async (wire: Wire, refusal: (sent: Sent) => Response, name: string, rest: Partial<ModelRequest> = {}) => {
    const { dropped, error, warnings, searches, last, info } = await asked(wire, [refusal], request(rest));
    expect(error).toBeUndefined();
    expect(dropped).toEqual([name]);
    expect(searches).toBe(true);
    expect(warnings).toEqual([
      expect.stringContaining(`The tool kube/${name} is left out because ${wire.service} refuses its definition`),
    ]);
    return { last, info };
  };

  it.each([
    ...TOOLS.map(({ name }) => [name, ': JSON schema is invalid: not supported']),
    // A call lacks an argument that the model left out.
    ['pay', '.properties.defer_loading: Input should be a valid dictionary'],
  ])('of Claude: %s, by its input_schema%s', async (name, problem) => {
    await of(
      ANTHROPIC,
      anthropic((at) => `tools.${at(name)}.custom.input_schema${problem}`),
      name,
    );
  });

  it.each(TOOLS.map(({ name }) => name))('of GPT: %s', async (name) => {
    const { last, info } = await of(
      OPENAI,
      openai(
        `Invalid schema for function '${name}': In context=('properties', 'x'), 'format' is not supported.`,
        'tools[0].tools[0].parameters',
      ),
      name,
      // A demanded tool, so that the request has a tool choice that can be left out.
      { tools: [DEMANDED], required: [DEMANDED.name] },
    );
    expect(last.tool_choice).toBeDefined();
    expect(info.runsCode).toBe(false);
  });

  it('each of two that one refusal names, after the other', async () => {
    const refuse = anthropic((at) => {
      const left = ['pay', 'custom'].filter((name) => at(name) >= 0);
      return left.map((name) => `tools.${at(name)}.custom.name: bad`).join('; ');
    });
    const { dropped, error, warnings, requests } = await asked(ANTHROPIC, [refuse, refuse]);
    expect([dropped.toSorted(), error, requests]).toEqual([['custom', 'pay'], undefined, 3]);
    expect(warnings).toHaveLength(2);
  });
});

describe('A refusal that names no tool’s definition drops none', () => {
  const dropsNone = async (wire: Wire, refusal: (sent: Sent) => Response, message: string) => {
    const { dropped, error, requests } = await asked(wire, [refusal]);
    expect([dropped, requests, error?.replan]).toEqual([[], 1, false]);
    expect(error?.message).toContain(message);
  };

  it.each([
    ['too much', 'tools: total size of tool definitions exceeds the limit'],
    ['names', 'tools: Tool names must be unique.'],
    ['messages', 'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: pay'],
    ['a name in passing', 'pay custom 0 input tools'],
  ])('of Claude: %s', (_, message) => {
    const refusal = anthropic(() => message);
    return dropsNone(ANTHROPIC, refusal, message);
  });

  it.each([
    [
      'too many',
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200.",
      'tools',
    ],
    ['another API', "Missing required parameter: 'tools[0].function'.", 'tools[0].function'],
    ['a kind of tool that it has', "Invalid value: 'function'.", 'tools[0].tools[0].type'],
    ['a part of the conversation', "Invalid 'input[0].content': string too long.", 'input[0].content'],
    ['a name in passing', 'pay custom 0 input tools', null],
  ])('of GPT: %s', (_, message, param) => dropsNone(OPENAI, openai(message, param), message));

  it('and ends, however much is refused', async () => {
    const many = Array.from({ length: 40 }, (_, index) => tool(`t${index}`));
    for (const [wire, refuse] of [
      [ANTHROPIC, anthropic(() => 'tools.2.custom.input_schema: no')],
      [OPENAI, (sent: Sent) => openai(`Invalid schema for function '${OPENAI.toolNames(sent)[0]}': no`)()],
    ] as const) {
      const { requests, error } = await asked(wire, Array(100).fill(refuse), request({ deferred: many }));
      expect(requests).toBeLessThanOrEqual(21);
      expect(error).toBeDefined();
    }
  });
});

it('a service that knows no examples is sent none at all', async () => {
  const deferred = Array.from({ length: 40 }, (_, index) => tool(`t${index}`, { examples: [{ args: { x: 'a' } }] }));
  const withExamples = (sent: Sent) =>
    (sent.tools as readonly Sent[]).findIndex((it) => it.input_examples !== undefined);
  const refuse = (sent: Sent) =>
    withExamples(sent) < 0
      ? streamed(ANTHROPIC.reply('Fine.'))
      : ANTHROPIC.failure(400, `tools.${withExamples(sent)}.custom.input_examples: Extra inputs are not permitted`);
  const { error, dropped, requests, warnings } = await asked(ANTHROPIC, Array(50).fill(refuse), request({ deferred }));
  expect([error, dropped, requests, warnings.length]).toEqual([undefined, [], 2, 1]);
});
