import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { DeliveryName } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import type { ModelAccess } from '../../../../src/providers/access';
import { Capabilities } from '../../../../src/providers/capabilities';
import { buildRequest } from '../../../../src/providers/openai/request';
import { makeWorld, ok, playTurn, TestRunner, TestSink } from '../../core/turn/world';
import { useStandIn } from '../ports';
import { define, ECHO, request, TOOLS } from './definitions';

const services = useStandIn();

const connect = (rest: Partial<ModelAccess> = {}) => services.portOf('gpt-5.4', { name: 'GPT-5.4', ...rest });

/** A conversation with the real turn loop. Each question adds to its transcript. */
function conversation(settings: Partial<Settings> = {}, port = connect(), tools = TOOLS) {
  const world = makeWorld(tools);
  const runner = new TestRunner((_, input) =>
    ok(typeof input.a === 'number' ? String(input.a + Number(input.b)) : JSON.stringify(input)),
  );
  let history: Transcript = [];
  return {
    world,
    runner,
    history: () => history,
    async ask(prompt: string, rest: { readonly references?: ReadonlySet<string>; readonly signal?: AbortSignal } = {}) {
      const sink = new TestSink();
      const from = services.standIn.requests.length;
      const outcome = await playTurn(world, port, {
        prompt,
        history,
        runner,
        settings: { delivery: 'server', ...settings },
        ...rest,
        sink,
        signal: rest.signal ?? new AbortController().signal,
      });
      history = [...history, ...outcome.items];
      const asked = services.standIn.requests.slice(from).filter(({ path }) => path === '/v1/responses');
      return {
        ...outcome,
        sink,
        asked: asked.map(({ body }) => body),
        refused: asked.flatMap(({ error }) => error ?? []),
      };
    },
  };
}

describe.each<DeliveryName>(['server', 'client', 'local', 'bridge'])('GPT with delivery %s', (delivery) => {
  it('searches, calls what it found and answers, and needs no second search', async () => {
    const chat = conversation({ delivery });
    const first = await chat.ask('get-sum a=2 b=40');
    expect({ answer: first.answer, message: first.message }).toEqual({ answer: '42', message: undefined });
    const second = await chat.ask('get-sum a=1 b=1');
    expect({ answer: second.answer, refused: second.refused }).toEqual({ answer: '2', refused: [] });
    expect(chat.runner.ran.map(({ id }) => id)).toEqual(['math/get-sum', 'math/get-sum']);
    if (delivery !== 'bridge') expect(second.sink.events).toEqual(['calling math/get-sum']);
  });
});

describe.each<DeliveryName>(['server', 'client'])('GPT with delivery %s', (delivery) => {
  it('keeps the request’s tools over five turns, and the service’s totals', async () => {
    const chat = conversation({ delivery });
    const prompts = ['get-sum a=2 b=40', 'echo message=hi', 'now city=Rome', 'get-sum a=1 b=1', 'nothing of this kind'];
    const bodies = [];
    const from = services.standIn.requests.length;
    for (const prompt of prompts) bodies.push(...(await chat.ask(prompt)).asked);
    expect(new Set(bodies.map(({ tools, instructions }) => JSON.stringify([tools, instructions]))).size).toBe(1);
    for (const [index, body] of bodies.entries()) {
      const before = bodies[index - 1]?.input ?? [];
      expect(body.input.slice(0, before.length)).toEqual(before);
    }
    const reported = services.standIn.requests
      .slice(from)
      .flatMap(({ path, usage }) => (path === '/v1/responses' ? [usage.input_tokens] : []));
    const shown = chat.world.ledger.events.flatMap((event) => (event.type === 'roundEnded' ? [event.tokens.sent] : []));
    expect(shown).toEqual(reported.map((value) => ({ value, certainty: 'measured' })));
  });

  it('says what it searched and found', async () => {
    const { sink, asked } = await conversation({ delivery }).ask('get-sum a=2 b=40');
    expect(sink.events[0]).toBe(delivery === 'server' ? 'searching math' : 'searching get-sum');
    expect(sink.events[1]).toContain('found math/');
    const kinds = asked
      .at(-1)
      .input.map((item: { readonly type?: string; readonly role?: string }) => item.type ?? item.role);
    const searched = ['user', 'reasoning', 'tool_search_call', 'tool_search_output'];
    expect(kinds).toEqual([
      ...searched,
      ...(delivery === 'client' ? ['reasoning'] : []),
      'function_call',
      'function_call_output',
    ]);
  });

  it('goes on as before when a tool that it found has gone', async () => {
    const chat = conversation({ delivery });
    await chat.ask('get-sum a=2 b=40');
    chat.world.source.catalog = makeWorld(TOOLS.filter((tool) => tool.name !== 'get-sum')).source.catalog;
    const { refused, status, asked } = await chat.ask('echo message=hi');
    expect({ refused, status }).toEqual({ refused: [], status: 'answered' });
    const outputs = asked[0].input.filter((item: { type: string }) => item.type === 'tool_search_output');
    expect(JSON.stringify(outputs)).toContain('math_get-sum');
  });

  it('leaves out a tool with a rejected schema, and says which', async () => {
    const chat = conversation({ delivery });
    const prompt = `get-sum a=2 b=40 [[fault:reject:${ECHO.modelName}]]`;
    const { answer, sink } = await chat.ask(prompt);
    expect(answer).toBe('42');
    expect(sink.warnings).toEqual([expect.stringContaining('math/echo')]);
    expect((await chat.ask(prompt)).sink.warnings).toEqual([]);
  });
});

describe('GPT', () => {
  it('is asked to call what the prompt names, with unchanged tools', async () => {
    const chat = conversation({ delivery: 'server', eagerTools: { math: ['echo'] } });
    const before = await chat.ask('get-sum a=2 b=40');
    const { asked, refused } = await chat.ask('message=hi', { references: new Set(['math/echo']) });
    expect(refused).toEqual([]);
    expect(asked[0].tool_choice).toEqual({
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'function', name: 'math_echo' }],
    });
    expect(asked[1].tool_choice).toBeUndefined();
    expect(before.asked[0].tool_choice).toBeUndefined();
  });

  it('continues a conversation that changed from one delivery to another', async () => {
    const port = connect();
    const world = conversation({ delivery: 'server' }, port);
    await world.ask('get-sum a=2 b=40');
    let history = world.history();
    for (const delivery of ['client', 'local', 'bridge', 'server', 'client'] as const) {
      const next = conversation({ delivery }, port);
      const prompt = delivery === 'bridge' ? 'echo message=2' : 'get-sum a=1 b=1';
      const outcome = await playTurn(next.world, port, {
        prompt,
        history,
        runner: next.runner,
        settings: { delivery },
      });
      history = [...history, ...outcome.items];
      expect({ delivery, answer: outcome.answer, message: outcome.message }).toMatchObject({
        answer: expect.stringContaining('2'),
        message: undefined,
      });
    }
  });

  it('without tool search has found tools in the request', async () => {
    const { answer, asked } = await conversation(
      { delivery: 'local' },
      connect({ model: 'gpt-4.1', name: 'GPT-4.1' }),
    ).ask('get-sum a=2 b=40');
    expect(answer).toBe('42');
    expect(JSON.stringify(asked)).not.toContain('tool_search');
  });

  it('that turns out to have no tool search is planned again', async () => {
    const capabilities = new Capabilities();
    const { answer } = await conversation(
      { delivery: 'auto', allowedCallers: { '*': 'both' } },
      connect({ capabilities, model: 'gpt-5.6-sol' }),
    ).ask('get-sum a=2 b=40 [[fault:notoolsearch]]');
    expect(answer).toBe('42');
    expect(capabilities.of('openai', 'gpt-5.6-sol').strategies).toEqual([]);
  });

  it('passes over blocks and events that nobody knows', async () => {
    const chat = conversation();
    expect((await chat.ask('get-sum a=2 b=40 [[fault:unknown]]')).answer).toBe('42');
    expect((await chat.ask('get-sum a=1 b=1')).refused).toEqual([]);
  });

  it('asks no second time without quota', async () => {
    expect((await conversation().ask('x [[fault:quota]]')).asked).toHaveLength(1);
  });

  it('tries again by itself', async () => {
    expect((await conversation().ask('get-sum a=2 b=40 [[fault:retry*1]]')).answer).toBe('42');
  });

  it.each([
    ['in mid-stream', 'stall', 200],
    ['while it waits to try again', 'wait', 429],
  ])('is cancelled %s, and the conversation goes on', async (_, fault, status) => {
    const chat = conversation();
    const stop = new AbortController();
    const asked = chat.ask(`get-sum a=2 b=40 [[fault:${fault}]]`, { signal: stop.signal });
    await expect
      .poll(
        () => services.standIn.requests.findLast(({ path }) => path === '/v1/responses')?.body?.input.at(-1)?.content,
      )
      .toContain(fault);
    await expect
      .poll(() => services.standIn.requests.findLast(({ path }) => path === '/v1/responses')?.status)
      .toBe(status);
    stop.abort();
    expect((await asked).status).toBe('cancelled');
    expect(await chat.ask('get-sum a=1 b=1')).toMatchObject({ answer: '2', refused: [] });
  });

  it('stops at its output limit, and says so', async () => {
    const { answer, sink } = await conversation().ask('nothing of this kind [[fault:length]]');
    expect(answer).toBe('This answer is cut');
    expect(sink.warnings).toEqual([expect.stringContaining('limit for one answer')]);
  });

  it('refuses in its own words', async () => {
    expect((await conversation().ask('x [[fault:refusal]]')).answer).toBe('I can’t help with that.');
  });

  it('sees images in prompts and results if it reads their type', async () => {
    const image = (mimeType: string) => ({ type: 'image' as const, mimeType, bytes: 3, data: 'AAAA' });
    const body = buildRequest(
      request({
        transcript: [
          { kind: 'user', text: 'look', images: [image('image/png'), image('image/tiff')] },
          { kind: 'assistant', text: '', calls: [{ callId: 'call_1', name: 'math_echo', input: {} }] },
          {
            kind: 'results',
            results: [
              { callId: 'call_1', outcome: 'ok', parts: [image('image/jpeg'), { type: 'text', text: 'a cat' }] },
            ],
          },
        ],
      }),
      { model: 'gpt-5.4', reasoning: true },
    );
    const shown = (mimeType: string) => ({
      type: 'input_image',
      image_url: `data:${mimeType};base64,AAAA`,
      detail: 'auto',
    });
    expect(body.input).toMatchObject([
      { content: [{ text: 'look' }, shown('image/png'), { text: '[image/tiff, 3 bytes, not shown]' }] },
      { type: 'function_call' },
      { output: [shown('image/jpeg'), { text: 'a cat' }] },
    ]);
  });

  it('says that a conversation is too long', async () => {
    const { message } = await conversation().ask('x'.repeat(1_200_000));
    expect(message).toContain('longer than GPT-5.4 can read');
  });

  /** Refuses the first request in the service's form, then lets the stand-in answer. */
  const refusingFirst = (error: object) => {
    let asked = 0;
    return async (url: string | URL | Request, init?: RequestInit) =>
      asked++ === 0 ? new Response(JSON.stringify({ error }), { status: 400 }) : fetch(url, init);
  };

  it('leaves out a tool that the service refuses by position', async () => {
    const error = {
      message: 'Too many enum values.',
      param: 'tools[0].description',
      code: 'invalid_value',
      type: 'invalid_request_error',
    };
    const port = connect({ fetch: refusingFirst(error) });
    const events = [];
    for await (const event of port.send(request({ tools: [define(ECHO)] }), new AbortController().signal))
      events.push(event);
    expect(events[0]).toEqual({
      type: 'warning',
      message: expect.stringContaining(
        'math/echo is left out because OpenAI refuses its definition: Too many enum values.',
      ),
    });
    expect(services.standIn.requests.at(-1)?.body.tools).toBeUndefined();
  });

  it('asks without a demand if the service takes none', async () => {
    const error = {
      message: 'Unsupported tool_choice type.',
      param: 'tool_choice',
      code: 'invalid_value',
      type: 'invalid_request_error',
    };
    const capabilities = new Capabilities();
    const port = connect({ capabilities, fetch: refusingFirst(error) });
    for await (const event of port.send(
      request({ tools: [define(ECHO)], required: ['math_echo'] }),
      new AbortController().signal,
    ))
      expect(event.type).not.toBe('warning');
    expect(services.standIn.requests.at(-1)?.body.tool_choice).toBeUndefined();
    expect(capabilities.of('openai', 'gpt-5.4').forcesTools).toBe(false);
  });

  it('never repeats its key, whatever a gateway says', async () => {
    const apiKey = 'secret-of-a-gateway';
    const fetch = async () =>
      new Response(JSON.stringify({ error: { message: `No such user: ${apiKey}` } }), { status: 422 });
    const { message } = await conversation({}, connect({ apiKey, fetch })).ask('x');
    expect(message).toContain('No such user: …');
  });

  it.concurrent.each<
    [string, string, { readonly apiKey?: string; readonly model?: string; readonly baseUrl?: string }, string]
  >([
    ['a key that is wrong', 'x', { apiKey: 'sk-proj-wrong-0000-key' }, 'OpenAI refused the API key'],
    ['a model that is gone', 'x', { model: 'gpt-9' }, 'OpenAI has no model gpt-9'],
    ['no quota', 'x [[fault:quota]]', {}, 'quota of the OpenAI account is used up'],
    ['a server that fails', 'x [[fault:500]]', {}, "can't answer at the moment (HTTP 500)"],
    ['a page instead of an answer', 'x [[fault:html]]', {}, "doesn't answer as OpenAI's API does"],
    ['an error that nobody knows', 'x [[fault:odd]]', {}, 'HTTP 418'],
    ['a stream that is cut', 'get-sum a=1 b=2 [[fault:cut]]', {}, 'Ask again'],
    ['a stream that ends early', 'get-sum a=1 b=2 [[fault:early]]', {}, 'ended before the answer was complete'],
    ['an error in mid-stream', 'get-sum a=1 b=2 [[fault:error]]', {}, 'failed while it answered'],
    ['a response that failed', 'get-sum a=1 b=2 [[fault:failed]]', {}, 'failed while it answered'],
    ['nobody at the address', 'x', { baseUrl: 'http://127.0.0.1:9/v1' }, "can't be reached"],
    ['another service at the address', 'x', { baseUrl: 'STANDIN/other' }, 'toolsearch.openai.baseUrl'],
  ])('ends a turn in plain words for %s', async (_, prompt, rest, words) => {
    const baseUrl = rest.baseUrl?.replace('STANDIN', services.standIn.url);
    const outcome = await conversation({}, connect({ ...rest, ...(baseUrl ? { baseUrl } : {}) })).ask(prompt);
    expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining(words) });
    expect(outcome.message).not.toMatch(/sk-|<html|\n/);
  });

  it('counts definitions exactly', async () => {
    const port = connect();
    const signal = new AbortController().signal;
    const [one, two] = [
      await port.countDefinitions?.([define0()], signal),
      await port.countDefinitions?.([define0(), { ...define0(), name: 'other' }], signal),
    ];
    expect(two).toBe(2 * (one ?? 0));
    expect(await port.countTokens('four words are here', signal)).toBeGreaterThan(0);
  });

  it('is of more definitions than a request may have, too', async () => {
    const port = connect();
    const signal = new AbortController().signal;
    const one = (await port.countDefinitions?.([define0()], signal)) ?? 0;
    const many = Array.from({ length: 300 }, (_, index) => ({ ...define0(), name: `sum_${index + 100}` }));
    // The service refuses a list of 300.
    const count = (await port.countDefinitions?.(many, signal)) ?? 0;
    expect(count / (300 * one)).toBeCloseTo(1, 1);
  });
});

const define0 = () => ({
  id: 'math/sum',
  server: 'math',
  name: 'math_sum',
  description: 'Adds',
  inputSchema: { type: 'object', properties: {} },
});
