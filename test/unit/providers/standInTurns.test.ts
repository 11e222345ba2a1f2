import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../src/core/conversation/transcript';
import type { DeliveryName, ModelPort } from '../../../src/core/ports';
import type { Settings } from '../../../src/core/settings/settings';
import type { ModelAccess } from '../../../src/providers/modelAccess';
import { makeWorld, TestModel, text } from '../core/turn/world';
import { useChats } from './chats';
import { TOOLS } from './openai/definitions';

const services = useChats();

/** A conversation with one model, whose service searches by default. */
const conversation = (port: ModelPort, settings: Partial<Settings> = {}, history: Transcript = []) =>
  services.chat({ delivery: 'server', ...settings }, { port, history });

const SERVICES = [
  ['Claude', 'claude-sonnet-4-6'],
  ['GPT', 'gpt-5.4'],
] as const;

describe.each(SERVICES)('A conversation with %s', (name, model) => {
  const connect = (rest: Partial<ModelAccess> = {}) => services.portOf(rest.model ?? model, { name, ...rest });

  const ways: readonly { readonly delivery: DeliveryName; readonly strategy?: 'regex' }[] = [
    ...(['server', 'client', 'local', 'bridge'] as const).map((delivery) => ({ delivery })),
    ...(name === 'Claude' ? [{ delivery: 'server', strategy: 'regex' } as const] : []),
  ];

  it.each(ways)('searches once, is never refused, and its parts add up: %j', async (settings) => {
    const { delivery } = settings;
    const { ask, runner, world } = conversation(connect(), settings);
    const answers = [];
    const bodies = [];
    for (const prompt of ['get-sum a=2 b=40', 'echo message=hi', 'now city=Oslo', 'get-sum a=1 b=1']) {
      const { answer, asked, refused, sink } = await ask(prompt);
      expect([...refused, ...sink.warnings]).toEqual([]);
      if (prompt === 'get-sum a=1 b=1' && delivery !== 'bridge') expect(sink.events).toEqual(['calling math/get-sum']);
      answers.push(answer.split('\n').at(-1));
      bodies.push(...asked.map(({ body }) => body));
    }
    expect([answers[0], answers[3]]).toEqual(['42', '2']);
    expect(runner.ran.map(({ id }) => id)).toEqual(['math/get-sum', 'math/echo', 'clock/now', 'math/get-sum']);
    if (delivery === 'local') return;
    const fixed = bodies.map(({ tools, instructions, system }) => JSON.stringify([tools, instructions, system]));
    expect(new Set(fixed).size).toBe(1);
    for (const event of world.ledger.events) {
      if (event.type !== 'roundEnded') continue;
      const { promptAndHistory, eager, discovered, searchOverhead, sent } = event.tokens;
      expect(sent.certainty).toBe('measured');
      expect(promptAndHistory.value + eager.value + discovered.value + searchOverhead.value).toBe(sent.value);
      expect(searchOverhead.value).toBeGreaterThanOrEqual(0);
    }
  });

  it('begun by another model goes on with its finds, both ways', async () => {
    const other = new TestModel(
      [
        [
          { type: 'search', search: { callId: 's', queries: ['sum'], strategy: 'provider', found: ['math_get-sum'] } },
          text('Found it.'),
          { type: 'opaque', block: { wire: name === 'GPT' ? 'anthropic' : 'openai', value: [{ type: 'secret' }] } },
        ],
        [text('Done.')],
      ],
      { info: { native: { strategies: ['provider'], references: true, maxDeferred: 10_000 } } },
    );
    const first = conversation(other);
    await first.ask('find a tool for sums');
    const second = conversation(connect(), {}, first.history);
    const { asked, refused } = await second.ask('get-sum a=2 b=40');
    expect(second.runner.ran.map(({ id }) => id)).toEqual(['math/get-sum']);
    expect(second.world.ledger.events.filter(({ type }) => type === 'searched')).toEqual([]);
    expect(refused).toEqual([]);
    expect(JSON.stringify(asked.map(({ body }) => body))).not.toContain('secret');
    expect((await conversation(other, {}, second.history).ask('thanks')).status).toBe('answered');
  });

  it.each(['server', 'client'] as const)('by %s goes on when a tool that it found has gone', async (delivery) => {
    const chat = conversation(connect(), { delivery });
    await chat.ask('get-sum a=2 b=40');
    chat.world.source.catalog = makeWorld(TOOLS.filter((tool) => tool.name !== 'get-sum')).source.catalog;
    expect(await chat.ask('echo message=hi')).toMatchObject({ status: 'answered', refused: [] });
  });

  it('goes on over the bridge if the service has no search', async () => {
    const settings = { delivery: 'auto', allowedCallers: { '*': 'both' } } as const;
    const chat = conversation(connect(name === 'GPT' ? { model: 'gpt-5.6-sol' } : {}), settings);
    const { answer, sink } = await chat.ask('get-sum a=2 b=40 [[fault:notoolsearch]]');
    expect(answer).toMatch(/^42$/m);
    expect(sink.warnings[0]).toMatch(/has no tool search of its own/);
    expect((await chat.ask('now city=Oslo')).status).toBe('answered');
  });

  it.each(['retry*1', 'unknown', 'searcherror', 'twice', 'length', 'refusal', 'cut', 'early', 'error', 'odd'])(
    'goes on after %s',
    async (fault) => {
      const chat = conversation(connect());
      await chat.ask(`get-sum a=2 b=40 [[fault:${fault}]]`);
      expect(await chat.ask('get-sum a=1 b=1')).toMatchObject({ answer: expect.stringMatching(/^2$/m), refused: [] });
    },
  );

  it('says that its answer is cut off by the output limit', async () => {
    const { sink } = await conversation(connect()).ask('nothing of this kind [[fault:length]]');
    expect(sink.warnings).toEqual([expect.stringMatching(/answer is cut|limit for one answer/)]);
  });

  it.concurrent.each<[string, string, Partial<ModelAccess>, RegExp]>([
    ['a wrong key', 'x', { apiKey: 'sk-proj-wrong-0000-key' }, /refused the API key/],
    ['a key a gateway repeats', 'x', { apiKey: 'secret-of-a-gateway', fetch: gateway }, /No such user: (…|\[key\])$/],
    ['no quota', 'x [[fault:quota]]', {}, /quota|credit/],
    ['a server that fails', 'x [[fault:500]]', {}, /(HTTP 500|failed \(500\))/],
    ['a page instead of an answer', 'x [[fault:html]]', {}, /as \S+ (service|API) does/],
    ['an error that nobody knows', 'x [[fault:odd]]', {}, /HTTP 418/],
    ['a stream that is cut', 'get-sum a=1 b=2 [[fault:cut]]', {}, /Ask again/],
    ['a stream that ends early', 'get-sum a=1 b=2 [[fault:early]]', {}, /ended before the answer was complete/],
    ['an error in mid-stream', 'get-sum a=1 b=2 [[fault:error]]', {}, /failed while it answered|overloaded just now/],
    ['nobody at the address', 'x', { baseUrl: 'http://127.0.0.1:9/v1' }, /can't be reached/],
    ['another service there', 'x', { baseUrl: 'STANDIN/other' }, /toolsearch\.openai\.baseUrl|isn't available at/],
    ['too many words', 'x'.repeat(1_200_000), {}, /too long|longer than/],
  ])('ends a turn in plain words for %s', async (_, prompt, rest, words) => {
    const baseUrl = rest.baseUrl?.replace('STANDIN', services.standIn.url);
    const outcome = await conversation(connect({ ...rest, ...(baseUrl ? { baseUrl } : {}) })).ask(prompt);
    expect(outcome).toMatchObject({ status: 'failed', message: expect.stringMatching(words) });
    expect(outcome.message).not.toMatch(/sk-|secret-of|<html|\n/);
  });
});

/** A gateway that repeats the key in its error. */
async function gateway(): Promise<Response> {
  return Response.json({ error: { message: 'No such user: secret-of-a-gateway' } }, { status: 422 });
}

it('Claude searches by patterns if its service knows only those', async () => {
  const port = services.portOf('claude-sonnet-4-6', { name: 'Claude' });
  const chat = conversation(port);
  const first = await chat.ask('get-sum a=2 b=40 [[fault:regexonly]]');
  expect(first.sink.warnings).toEqual([expect.stringContaining('supports only search by patterns here')]);
  expect((await chat.ask('now city=Oslo [[fault:regexonly]]')).sink.warnings).toEqual([]);
  expect(chat.runner.ran.map(({ id }) => id)).toEqual(['math/get-sum', 'clock/now']);
  expect(port.info.native?.strategies).toEqual(['regex']);
});

it('GPT without tool search has found tools in the request', async () => {
  const { answer, asked } = await conversation(services.portOf('gpt-4.1'), { delivery: 'local' }).ask(
    'get-sum a=2 b=40',
  );
  expect(answer).toBe('42');
  expect(JSON.stringify(asked.map(({ body }) => body))).not.toContain('tool_search');
});

it('GPT is asked to call what the prompt names, with unchanged tools', async () => {
  const chat = conversation(services.portOf('gpt-5.4'), { eagerTools: { math: ['echo'] } });
  const before = await chat.ask('get-sum a=2 b=40');
  const { asked, refused } = await chat.ask('message=hi', undefined, { references: new Set(['math/echo']) });
  expect(refused).toEqual([]);
  const tools = [{ type: 'function', name: 'math_echo' }];
  expect(asked[0]?.body.tool_choice).toEqual({ type: 'allowed_tools', mode: 'required', tools });
  expect([before.asked[0]?.body.tool_choice, asked[1]?.body.tool_choice]).toEqual([undefined, undefined]);
});
