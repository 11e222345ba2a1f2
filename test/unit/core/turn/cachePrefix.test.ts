import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { LedgerEvent } from '../../../../src/core/ledger/ledger';
import { ModelError, type ModelEvent, type ModelPort, type Usage } from '../../../../src/core/ports';
import { runTurn } from '../../../../src/core/turn/turn';
import { LastRequests } from '../../../../src/core/usage/cacheMiss';
import { definitionOf } from '../../../../src/core/usage/tokens';
import {
  call,
  filler,
  makeCatalog,
  makeRequest,
  makeTool,
  makeWorld,
  NO_SANDBOX,
  scriptsIn,
  TestModel,
  TestSink,
  text,
} from './world';

const tools = [makeTool('notes', 'find', 'Finds notes.'), ...filler('filler', 40)];
/** The catalog once a server has added a tool. */
const GROWN = makeCatalog([...tools, makeTool('notes', 'add', 'Adds a note.')], undefined, 2);
const OFF = { settings: { mode: 'off' } } as const;
const FIND = call('search_tools', { queries: ['find notes'] });
/** Makes requests long enough for a cache: no provider caches a short request. */
const LONG = 'one more '.repeat(1_000);
const usage = (inputTokens: number, rest: Partial<Usage> = {}): ModelEvent => ({
  type: 'usage',
  usage: { inputTokens, outputTokens: 1, ...rest },
});

/** A reply whose input is written into the cache, as far as it isn't read from there. */
const cached = (inputTokens: number, cacheReadTokens: number) => [
  text('yes'),
  usage(inputTokens, { cacheReadTokens, cacheWriteTokens: inputTokens - cacheReadTokens }),
];

/** A conversation with one model. A script answers each question. */
function conversation(
  options: {
    readonly info?: ConstructorParameters<typeof TestModel>[1];
    readonly countRequest?: ModelPort['countRequest'];
  } = {},
) {
  const world = { ...makeWorld(tools), requests: new LastRequests() };
  let history: Transcript = [];
  return {
    world,
    async ask(
      prompt: string,
      script: readonly (readonly (ModelEvent | Error)[])[],
      settings: Parameters<typeof makeRequest>[1] = {},
    ) {
      const { info, countRequest } = options;
      const model = Object.assign(new TestModel(script, info), countRequest && { countRequest });
      const rest = { ...settings, settings: { mode: 'on' as const, ...settings.settings } };
      const request = makeRequest(model, { prompt, history, ...rest });
      const { items, turn } = await runTurn(world, request, new TestSink(), new AbortController().signal);
      history = [...history, ...items];
      return world.ledger.events.filter(
        (event): event is LedgerEvent & { type: 'roundEnded' } => event.turn === turn && event.type === 'roundEnded',
      );
    },
  };
}

describe("what broke a request's cache", () => {
  it('is nothing while a conversation only grows', async () => {
    const { ask } = conversation();
    const [first] = await ask(LONG, [[text('yes')]]);
    const [second] = await ask('two', [[text('yes')]]);
    expect(first?.prefix).toBeUndefined();
    expect(second?.prefix).toMatchObject({ lost: { value: 0 } });
    expect(second?.prefix?.same.value).toBeGreaterThan(0);
    expect(second?.prefix?.broke).toBeUndefined();
  });

  it('is the found tool that local delivery puts before the conversation', async () => {
    const { ask } = conversation();
    const rounds = await ask(LONG, [[FIND], [text('done')]], { settings: { delivery: 'local' } });
    expect(rounds[1]?.prefix).toMatchObject({ broke: { cause: 'discovered', tool: 'notes/find' } });
    expect(rounds[1]?.prefix?.lost.value).toBeGreaterThan(0);
  });

  it('is nothing over a bridge, since found tools stay in the conversation', async () => {
    const { ask } = conversation();
    const rounds = await ask('find my notes', [[FIND], [text('done')]], { settings: { delivery: 'bridge' } });
    expect(rounds[1]?.prefix).toMatchObject({ lost: { value: 0 } });
  });

  it('is nothing after a search of the service’s own over a bridge', async () => {
    const { ask } = conversation({ info: { info: { vendor: 'toolsearch-openai', id: 'gpt-5.4' } } });
    const search = { callId: 'own', queries: ['notes'], strategy: 'bm25', found: ['notes_find'] } as const;
    // The service read 3,000 tokens, and again after the search.
    const twice = usage(6_000, { cacheReadTokens: 2_944 });
    await ask('one', [[{ type: 'search', search }, text('yes'), twice]], { settings: { delivery: 'bridge' } });
    const [second] = await ask('two', [[text('yes'), usage(3_100, { cacheReadTokens: 2_944 })]]);
    expect(second?.prefix).toMatchObject({ same: { value: 2_944 }, lost: { value: 0 } });
  });

  it('is the tool that a server lists in turn three, if eager', async () => {
    const { ask, world } = conversation();
    await ask('one', [[text('yes')]], OFF);
    await ask('two', [[text('yes')]], OFF);
    world.source.catalog = GROWN;
    const [third] = await ask('three', [[text('yes')]], OFF);
    expect(third?.prefix?.broke).toEqual({ cause: 'listed', tool: 'notes/add' });
  });

  it("is told with the provider's own figures where it has them", async () => {
    const { ask } = conversation();
    await ask('one', [cached(5_000, 0)], OFF);
    const [kept] = await ask('two', [cached(5_100, 4_990)], OFF);
    expect(kept?.prefix).toEqual({
      same: { value: 4_990, certainty: 'measured' },
      lost: { value: 0, certainty: 'measured' },
    });
    const [anew] = await ask('three', [cached(600, 0)], { settings: { mode: 'on' } });
    expect(anew?.prefix).toMatchObject({
      same: { value: 0 },
      lost: { value: 5_100, certainty: 'measured' },
      broke: { cause: 'deferral' },
    });
  });
});

describe("a turn's price", () => {
  const claude = { info: { info: { vendor: 'toolsearch-anthropic', id: 'claude-sonnet-4-5' } } };
  it('has the baseline written once and read afterwards', async () => {
    const { ask } = conversation(claude);
    const [first] = await ask('one', [cached(1_000, 0)]);
    const [second] = await ask('two', [cached(1_100, 1_000)]);
    const before = first?.tokens.baseline.value ?? 0;
    const now = second?.tokens.baseline.value ?? 0;
    expect(first?.tokens.cost).toMatchObject({ sent: 1_250, baseline: Math.round(before * 1.25) });
    expect(second?.tokens.cost).toMatchObject({
      sent: 100 + 125,
      baseline: Math.round(before * 0.1 + (now - before) * 1.25),
    });
  });

  it('is in US dollars by list price, if one is known', async () => {
    const [round] = await conversation(claude).ask('one', [cached(1_000, 0)]);
    const { sent = 0, baseline = 0, usd } = round?.tokens.cost ?? {};
    expect(usd?.sent).toBeCloseTo((3 * sent) / 1e6, 9);
    expect(usd?.baseline).toBeCloseTo((3 * baseline) / 1e6, 9);
    const unpriced = { info: { info: { vendor: 'toolsearch-anthropic', id: 'claude-unknown-9' } } };
    const [other] = await conversation(unpriced).ask('one', [cached(1_000, 0)]);
    expect(other?.tokens.cost?.usd).toBeUndefined();
  });

  it('claims no saving for a turn that defers nothing', async () => {
    const { ask, world } = conversation(claude);
    const search = [FIND, usage(1_000, { cacheReadTokens: 0 })];
    await ask('one', [search, cached(1_100, 1_000)]);
    world.source.catalog = GROWN;
    const [second] = await ask('two', [cached(5_000, 5_000)], OFF);
    expect(second?.tokens.cost).toMatchObject({ sent: 500, baseline: 500 });
  });

  it('counts no saving, and its cached tokens, if a reply is cut', async () => {
    const { ask } = conversation(claude);
    const [round] = await ask(LONG, [[text('begun'), new ModelError('cut')]]);
    const { cost, baselineCache } = round?.tokens ?? {};
    const { read = 0, write = 0 } = baselineCache ?? {};
    const tokens = round?.tokens.baseline.value ?? 0;
    expect([tokens, cost?.baseline]).toEqual([round?.tokens.sent.value, cost?.sent]);
    expect(cost?.baseline).toBe(Math.round(tokens - read - write + read * 0.1 + write * 1.25));
  });

  it('shows as a loss what a tool that is gone still costs', async () => {
    const info = { ...claude.info.info, addsTools: true };
    const { ask, world } = conversation({
      info: { info, count: ({ length }) => length },
      countRequest: async () => 200,
    });
    await ask('one', [cached(5_000, 0)], OFF);
    world.source.catalog = makeCatalog(tools.slice(0, -1), undefined, 2);
    // A client without this extension would write its shorter list into the cache again, and read it afterwards.
    const [second] = await ask('two', [cached(5_000, 5_000)], OFF);
    expect(second?.tokens.cost).toMatchObject({ sent: 500, baseline: 500 });
    const [third] = await ask('three', [cached(5_000, 5_000)], OFF);
    expect(third?.tokens.cost?.baseline).toBe(Math.round((third?.tokens.baseline.value ?? 0) * 0.1));
    expect(third?.tokens.baseline.value).toBeLessThan(5_000);
  });

  it('reads the tools before a changed one, as the service counts them', async () => {
    const count = (of: string) => 1 + 100 * (of.match(/filler/g)?.length ?? 0);
    const { ask, world } = conversation({ info: { info: { vendor: 'toolsearch-openai', id: 'gpt-5.4' }, count } });
    world.source.catalog = makeCatalog([makeTool('a', 'notes', LONG), ...filler('filler', 40)]);
    const all = world.source.catalog.tools;
    await ask('one', [[text('yes'), usage(1_000, { cacheReadTokens: 0 })]]);
    world.source.catalog = makeCatalog(
      all.map((tool, index) => (index === 20 ? { ...tool, description: 'Is new.' } : tool)),
      undefined,
      2,
    );
    const [second] = await ask('two', [[text('yes'), usage(1_000, { cacheReadTokens: 0 })]]);
    const before = count(JSON.stringify(all.slice(0, 20).map((tool) => definitionOf(tool).text)));
    expect(second?.tokens.baselineCache?.read).toBe(before - (before % 128));
  });

  it('reads no changed tool, even behind the tool for scripts', async () => {
    const info = { info: { vendor: 'toolsearch-openai', id: 'gpt-5.4' }, count: ({ length }: string) => length };
    const { ask, world } = conversation({ info });
    const code = scriptsIn({ ...NO_SANDBOX, unavailable: undefined });
    const reads: (number | undefined)[] = [];
    for (const [index, description] of ['Is short.', LONG.repeat(9)].entries()) {
      const all = filler('filler', 40).map((tool, at) => (at === 20 ? { ...tool, description } : tool));
      world.source.catalog = makeCatalog(all, undefined, index + 1);
      const reply = [text('yes'), usage(1_000, { cacheReadTokens: 0 })];
      const [round] = await ask('one', [reply], { settings: { codeMode: 'on' }, code });
      reads.push(round?.tokens.baselineCache?.read);
    }
    expect(reads).toEqual([0, expect.any(Number)]);
    expect(reads[1]).toBeGreaterThan(1_000);
    expect(reads[1]).toBeLessThan(LONG.length);
  });

  it('has written the definitions if the turn is stopped while it searches', async () => {
    const { ask, world } = conversation(claude);
    const stop = new AbortController();
    const sink = new TestSink();
    sink.searching = () => stop.abort();
    const search = [FIND, usage(1_000, { cacheReadTokens: 0 })];
    const model = new TestModel([search], claude.info);
    await runTurn(world, makeRequest(model, { prompt: 'one' }), sink, stop.signal);
    const [again] = await ask('one', [cached(1_000, 0)]);
    expect(again?.tokens.baselineCache?.read).toBeGreaterThan(1_000);
  });

  it('has it written again if a new tool breaks that cache', async () => {
    const { ask, world } = conversation(claude);
    await ask('one', [cached(1_000, 0)]);
    world.source.catalog = GROWN;
    const [second] = await ask('two', [cached(1_100, 1_000)]);
    expect(second?.tokens.cost?.baseline).toBe(Math.round((second?.tokens.baseline.value ?? 0) * 1.25));
  });
});
