import { describe, expect, it } from 'vitest';
import { discoveredIds } from '../../../../src/core/planning/discovery';
import { ModelError, type ModelEvent, type ModelInfo } from '../../../../src/core/ports';
import { said, searchOf, user } from '../../../data/items';
import { call, filler, makeTool, makeWorld, ok, playTurn, TestModel, TestRunner, TestSink, text } from './world';

const SUM = makeTool('math', 'sum', 'Returns the sum of two numbers');
const ECHO = makeTool('math', 'echo', 'Echoes back its input');
const TOOLS = [SUM, ECHO, ...filler('other', 40)];
const NATIVE: Partial<ModelInfo> = { native: { strategies: ['bm25', 'regex'], references: true, maxDeferred: 10_000 } };
const found = (...names: string[]): ModelEvent => ({
  type: 'search',
  search: { callId: 'srv-1', queries: ['sum'], strategy: 'bm25', found: names },
});
const usage = (inputTokens: number): ModelEvent => ({ type: 'usage', usage: { inputTokens, outputTokens: 5 } });

const SERVER = { settings: { delivery: 'server' } } as const;

describe('delivery server', () => {
  it('sends deferred tools without our search, and records what was found', async () => {
    const first = [found('math_sum', 'gone_tool'), call('math_sum', {})];
    const model = new TestModel([first, [text('3'), usage(10)]], { info: NATIVE });
    const world = makeWorld(TOOLS);
    const sink = new TestSink();
    const outcome = await playTurn(world, model, { ...SERVER, sink });

    expect(model.requests[0]).toMatchObject({ delivery: 'server', strategy: 'bm25', tools: [], required: [] });
    expect(model.requests[0]?.deferred).toHaveLength(42);
    expect(model.requests[0]?.system).toMatch(/42 tools of /);
    expect(model.requests[1]?.deferred).toEqual(model.requests[0]?.deferred);
    expect(model.requests[1]?.system).toBe(model.requests[0]?.system);
    const searched = world.ledger.events.find((event) => event.type === 'searched');
    expect(searched).toMatchObject({
      callId: 'srv-1',
      query: 'sum',
      strategy: 'bm25',
      searched: 42,
      matched: 1,
      failed: false,
    });
    expect(searched).toMatchObject({ hits: [{ id: 'math/sum', matchType: 'provider' }] });
    expect(world.ledger.events.find((event) => event.type === 'discovered')).toMatchObject({ ids: ['math/sum'] });
    expect(world.ledger.events.find((event) => event.type === 'called')).toMatchObject({
      tool: 'math/sum',
      withoutDiscovery: false,
    });
    expect([...discoveredIds(outcome.items, world.source.catalog)]).toEqual(['math/sum']);
    expect(sink.events).toEqual(['searching sum', 'found math/sum', 'calling math/sum']);
  });

  it('counts found tools as discovered in the search’s own round', async () => {
    const world = makeWorld(TOOLS);
    const count = (value: string) => value.length;
    const model = new TestModel(
      [
        [found('math_sum'), call('math_sum', {}), usage(9_000)],
        [text('ok'), usage(9_500)],
      ],
      { info: NATIVE, count },
    );
    await playTurn(world, model, SERVER);
    const rounds = world.ledger.events.filter((event) => event.type === 'roundEnded');
    expect(rounds.map((round) => round.tokens.sent.value)).toEqual([9_000, 9_500]);
    expect(rounds[0]?.tokens.discovered.value).toBeGreaterThan(0);
    expect(rounds[1]?.tokens.discovered).toEqual(rounds[0]?.tokens.discovered);
  });

  it('gives a provider as many deferred tools as it takes, discovered first', async () => {
    const info: Partial<ModelInfo> = { native: { strategies: ['bm25'], references: true, maxDeferred: 3 } };
    const world = makeWorld(TOOLS);
    const sink = new TestSink();
    const history = [user('before'), said('ok', [], { searches: [searchOf('other/zz9')] })];
    const model = new TestModel([[call('math_echo', {})], [text('ok')]], { info });
    await playTurn(world, model, { ...SERVER, history, sink });
    for (const request of model.requests)
      expect(request.deferred.map((tool) => tool.id)).toEqual(['math/echo', 'math/sum', 'other/zz9']);
    expect(sink.warnings).toEqual([expect.stringMatching(/accepts at most 3 deferred tools.*there are 42.*last 39/)]);
  });

  it('says nothing of a limit that the deferred tools just reach', async () => {
    const info: Partial<ModelInfo> = { native: { strategies: ['bm25'], references: true, maxDeferred: TOOLS.length } };
    const sink = new TestSink();
    await playTurn(makeWorld(TOOLS), new TestModel([[text('ok')]], { info }), { ...SERVER, sink });
    expect(sink.warnings).toEqual([]);
  });
});

describe('delivery client', () => {
  const client = { settings: { strategy: 'keywords', delivery: 'client' } } as const;

  it('searches by our strategy and leaves the request’s tools alone', async () => {
    const model = new TestModel(
      [[call('search_tools', { queries: ['sum'], limit: 1 })], [call('math_sum', {})], [text('3')]],
      { info: NATIVE },
    );
    const world = makeWorld(TOOLS);
    const runner = new TestRunner(() => ok('3'));
    const outcome = await playTurn(world, model, { ...client, runner });
    for (const request of model.requests) {
      expect(request).toMatchObject({ delivery: 'client', strategy: 'keywords' });
      expect(request.tools.map((tool) => tool.name)).toEqual(['search_tools']);
      expect(request.deferred).toHaveLength(42);
    }
    expect(world.ledger.events.find((event) => event.type === 'searched')).toMatchObject({
      strategy: 'keywords',
      hits: [{ id: 'math/sum' }],
    });
    expect([...discoveredIds(outcome.items, world.source.catalog)]).toEqual(['math/sum']);
    expect(runner.ran).toHaveLength(1);
  });
});

describe('a turn with a provider of its own search', () => {
  it('gives up if the service refuses each plan', async () => {
    const refusals = Array.from({ length: 20 }, () => [new ModelError('No tool search here.', { replan: true })]);
    const model = new TestModel(refusals, { info: NATIVE });
    const outcome = await playTurn(makeWorld(TOOLS), model, SERVER);
    expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining('No tool search here.') });
    expect(model.requests).toHaveLength(4);
  });

  it('keeps an image for later requests, as the model has seen it', async () => {
    const image = { type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'AAAA' };
    const model = new TestModel([[call('math_echo', {})], [text('a picture')]]);
    const runner = new TestRunner(() => ({ outcome: 'ok', parts: [image] }));
    const outcome = await playTurn(makeWorld(TOOLS), model, { runner });
    expect(model.requests[1]?.transcript.at(-1)).toMatchObject({ kind: 'results', results: [{ parts: [image] }] });
    expect(outcome.items[2]).toMatchObject({ results: [{ parts: [image] }] });
  });
});
