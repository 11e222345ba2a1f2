import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CountRefused, EMPTY_REQUEST, ModelError } from '../../../../src/core/ports';
import { SERVICES, type ServiceId } from '../../../../src/core/settings/modelServices';
import { TokenCounters } from '../../../../src/core/usage/tokenCounter';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { Capabilities, nativeSearch, WITHOUT_SEARCH } from '../../../../src/providers/capabilities';
import { chooseModels } from '../../../../src/providers/native/chooseModels';
import { listModels } from '../../../../src/providers/native/listModels';
import { type Address, NativeModels } from '../../../../src/providers/native/nativeModels';
import { createNativePorts } from '../../../../src/providers/native/nativePorts';
import { KEYS, startStandIn } from '../../../standin/server.mjs';
import { filler, makeWorld, playTurn, TestModel } from '../../core/turn/world';

const standIn = await startStandIn();
afterAll(() => standIn.close());
afterEach(() => vi.restoreAllMocks());

const access = (service: ServiceId, apiKey: string = KEYS[service]) => ({
  apiKey,
  baseUrl: service === 'openai' ? `${standIn.url}/v1` : standIn.url,
});
const signal = () => AbortSignal.timeout(5_000);

describe('the list of a service’s models', () => {
  it.each(['anthropic', 'openai'] as const)(
    'comes from %s itself, without models that can’t search tools or don’t chat',
    async (id) => {
      const list = await listModels(id, access(id), signal());
      const names = chooseModels(SERVICES[id], list.ok ? list.models : undefined).map((model) => model.id);
      expect(names.length).toBeGreaterThan(3);
      for (const name of names)
        expect(name).toMatch(
          id === 'anthropic' ? /^claude-(fable|sonnet|haiku|opus)-(4-[5-9]|[5-9])/ : /^gpt-(5\.[4-9]|6)/,
        );
    },
  );

  it('has the figures that the service tells', async () => {
    const list = await listModels('anthropic', access('anthropic'), signal());
    expect(list.ok && list.models).toContainEqual({
      id: 'claude-sonnet-4-5',
      name: 'Claude Sonnet 4.5',
      maxInputTokens: 200_000,
      maxOutputTokens: 64_000,
    });
  });

  it.each(['anthropic', 'openai'] as const)('says that %s refused a key, without the key', async (id) => {
    const wrong = 'sk-wrong-0123456789';
    const list = await listModels(id, access(id, wrong), signal());
    expect(list).toMatchObject({
      ok: false,
      reason: 'key',
      message: `${SERVICES[id].name} refused the key (HTTP 401).`,
    });
    expect(JSON.stringify(list)).not.toContain(wrong);
  });

  it('says which setting to look at if something else answers', async () => {
    const page = async () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } });
    vi.stubGlobal('fetch', page);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await listModels('openai', access('openai'), signal())).toMatchObject({
      ok: false,
      message: `${standIn.url}/v1 doesn’t answer as OpenAI does. Check toolsearch.openai.baseUrl.`,
    });
  });

  it('says that nobody is there', async () => {
    const list = await listModels('anthropic', { apiKey: 'x', baseUrl: 'http://127.0.0.1:9' }, signal());
    expect(list).toMatchObject({ ok: false, reason: 'other' });
    expect(!list.ok && list.message).toMatch(/^http:\/\/127\.0\.0\.1:9 can’t be reached: /);
  });

  it('is that of the table if the service gives none', () => {
    expect(chooseModels(SERVICES.anthropic, undefined).map((model) => model.name)).toContain('Claude Sonnet 4.5');
    expect(chooseModels(SERVICES.openai, undefined).map((model) => model.name)).toContain('GPT-5.4 mini');
  });

  it('leaves out a model’s dated edition if the undated one exists', () => {
    const names = (ids: string[]) =>
      chooseModels(
        SERVICES.openai,
        ids.map((id) => ({ id })),
      ).map((model) => model.id);
    expect(names(['gpt-5.4', 'gpt-5.4-2026-03-05'])).toEqual(['gpt-5.4']);
    expect(names(['gpt-5.4-2026-03-05'])).toEqual(['gpt-5.4-2026-03-05']);
  });
});

describe('a list of models that arrives late', () => {
  it('replaces the figures of the table, also of a port in use', async () => {
    let now = 0;
    let listed: readonly object[] | undefined;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
      listed ? Response.json({ data: listed }) : new Response('busy', { status: 503 }),
    );
    const models = new NativeModels(SERVICES.anthropic, new KnownSecrets(), {
      loadPorts: async () => createNativePorts().anthropic,
      address: () => ({ url: standIn.url }),
      now: () => now,
    });
    await models.offer(KEYS.anthropic, 1);
    const early = models.port('claude-opus-5-5')?.info;
    expect([early?.maxInputTokens, early?.retires]).toEqual([1_000_000, undefined]);
    listed = [{ id: 'claude-opus-5-5', max_input_tokens: 400_000, retires_at: '2027-05-01T00:00:00Z' }];
    await models.offer(KEYS.anthropic, 1);
    expect(models.port('claude-opus-5-5')?.info.maxInputTokens).toBe(1_000_000);
    now = 60_000;
    await models.offer(KEYS.anthropic, 1);
    const late = models.port('claude-opus-5-5')?.info;
    expect([late?.maxInputTokens, late?.retires]).toEqual([400_000, '2027-05-01']);
  });
});

describe('the models of a service', () => {
  const KEY = KEYS.anthropic;
  const make = (failure?: Error, baseUrl: string | undefined = standIn.url) => {
    const asked: string[] = [];
    const models = new NativeModels(SERVICES.anthropic, new KnownSecrets(), {
      loadPorts:
        async () =>
        (model, { apiKey }) => {
          asked.push(`${model.id} ${apiKey}`);
          return new TestModel([[failure ?? { type: 'text', text: 'Hello.' }]]);
        },
      address: () => ({ url: baseUrl }),
      now: Date.now,
    });
    return { models, asked };
  };
  const read = async (models: NativeModels, id: string) => {
    const events = [];
    const port = models.port(id);
    if (!port) throw new Error(`There is no ${id}`);
    for await (const event of port.send(EMPTY_REQUEST, signal())) events.push(event);
    return events;
  };

  it('have ports named as VS Code knows them, per model and key', async () => {
    const { models, asked } = make();
    await models.offer(KEY, 1);
    await models.offer('another', 2);
    const [first, second] = [models.port('claude-sonnet-4-5'), models.port('claude-sonnet-4-5@2')];
    expect(first?.info).toMatchObject({ id: 'claude-sonnet-4-5', vendor: 'toolsearch-anthropic' });
    expect(models.port('claude-sonnet-4-5')).toBe(first);
    expect(second).not.toBe(first);
    expect(asked).toEqual([`claude-sonnet-4-5 ${KEY}`, 'claude-sonnet-4-5 another']);
    expect(models.port('claude-1')).toBeUndefined();
  });

  it('count again with another key: earlier refusals mean nothing', async () => {
    const { models } = make();
    const counters = new TokenCounters();
    const count = async (apiKey: string) => {
      await models.offer(apiKey, 1);
      const port = models.port('claude-sonnet-4-5');
      if (!port) throw new Error('There is no such model');
      const ask = async () => {
        if (apiKey !== KEY) throw new CountRefused('not for this key');
        return 3;
      };
      return counters.of(port.info).count('history', 'a question', ask, signal());
    };
    expect((await count('another')).certainty).toBe('estimated');
    expect(await count(KEY)).toEqual({ value: 3, certainty: 'measured' });
  });

  it('are asked for once an hour, though VS Code asks often', async () => {
    const { models } = make();
    const before = standIn.requests.length;
    await models.offer(KEY, 1);
    await models.offer(KEY, 1);
    expect(standIn.requests.length - before).toBe(1);
  });

  it('are offered with an unusable address, and say why when asked', async () => {
    const problem = 'toolsearch.anthropic.baseUrl must be an address with https://.';
    let address: Address = { problem };
    const models = new NativeModels(SERVICES.anthropic, new KnownSecrets(), {
      loadPorts: async () => () => new TestModel([[{ type: 'text', text: 'Hello.' }]]),
      address: () => address,
      now: Date.now,
    });
    const offered = await models.offer(KEY, 1);
    expect(offered.map(({ id }) => id)).toContain('claude-sonnet-4-5');
    await expect(read(models, 'claude-sonnet-4-5')).rejects.toMatchObject({ name: 'ModelError', message: problem });
    const port = models.port('claude-sonnet-4-5');
    expect(port?.info).toMatchObject({ id: 'claude-sonnet-4-5', vendor: 'toolsearch-anthropic' });
    await expect(port?.countTokens('text', signal())).rejects.toBeInstanceOf(CountRefused);
    expect(await models.test(KEY)).toEqual({ ok: false, message: problem });
    address = { url: standIn.url };
    expect(await read(models, 'claude-sonnet-4-5')).toEqual([{ type: 'text', text: 'Hello.' }]);
  });

  it.each([new ModelError(`bad key ${KEY}`, { refusal: 'key' }), new Error(`crashed with ${KEY}`)])(
    'never tell a key: %s',
    async (failure) => {
      const { models } = make(failure);
      await models.offer(KEY, 1);
      const error = await read(models, 'claude-sonnet-4-5').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(failure.constructor);
      expect(`${(error as Error).message}${(error as Error).stack}`).not.toContain(KEY);
      expect((error as ModelError).refusal).toBe((failure as ModelError).refusal);
    },
  );

  it('test a key again each time', async () => {
    const { models } = make();
    expect(await models.test(KEY)).toMatchObject({ ok: true, models: expect.any(Number) });
    expect(await models.test('wrong')).toMatchObject({ ok: false, reason: 'key' });
  });
});

it.each([
  ['anthropic', 'claude-sonnet-4-6', standIn.url],
  ['openai', 'gpt-5.4', `${standIn.url}/v1`],
] as const)('a refusal to one key or address of %s isn’t another’s', async (service, id, baseUrl) => {
  const ports = createNativePorts();
  const portBy = (apiKey: string) =>
    ports[service]({ id, name: id, maxInputTokens: 200_000, maxOutputTokens: 32_000 }, { apiKey, baseUrl });
  const refused = portBy(KEYS[service]);
  expect(refused.info.native).toBeDefined();
  await playTurn(makeWorld(filler('other', 40)), refused, {
    prompt: 'what is there? [[fault:notoolsearch]]',
    settings: { delivery: 'server' },
  });
  expect(refused.info.native).toBeUndefined();
  expect(portBy('another').info.native).toBeDefined();
});

it('a model’s abilities are corrected by a service’s answers, for it alone', () => {
  const capabilities = new Capabilities();
  capabilities.learn('anthropic', 'claude-sonnet-4-5', WITHOUT_SEARCH);
  capabilities.learn('anthropic', 'claude-sonnet-4-5', { maxInputTokens: 1_000_000 });
  expect(capabilities.of('anthropic', 'claude-sonnet-4-5')).toMatchObject({
    strategies: [],
    references: false,
    maxInputTokens: 1_000_000,
  });
  expect(nativeSearch(capabilities.of('anthropic', 'claude-sonnet-4-5'))).toBeUndefined();
  expect(nativeSearch(capabilities.of('anthropic', 'claude-haiku-4-5'))).toMatchObject({
    strategies: ['bm25', 'regex'],
    maxDeferred: 10_000,
  });
});
