import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { LedgerEvent } from '../../../../src/core/ledger/ledger';
import { ModelError, type ModelEvent, type ModelInfo, type ModelPort } from '../../../../src/core/ports';
import type { Timer } from '../../../../src/core/util/timers';
import { askRelay, askTurn, type Came, type Drive } from './drivers';
import { call, fails, filler, makeCatalog, makeTool, type Script, schema, searchOver, TestModel, text } from './world';

/**
 * The behaviour that both drivers share: a question to `@toolsearch`, and the same question from another agent that
 * passes its tools and runs them itself. The last part lists the necessary differences with their reasons.
 */
const DRIVERS: readonly (readonly [string, Drive])[] = [
  ['a question to @toolsearch', askTurn],
  ['a request of another agent', askRelay],
];

/**
 * A tool with the name that turns use. An agent passes tools under VS Code's names, so both names are equal here to
 * make figures comparable.
 */
const tool = (server: string, name: string, description: string) =>
  makeTool(server, name, description, {
    invokeName: `${server}_${name}`,
    inputSchema: schema({ a: { type: 'number' } }),
  });
const SUM = tool('math', 'sum', 'Returns the sum of two numbers');
const ECHO = tool('math', 'echo', 'Echoes back its input');
const TOOLS = [SUM, ECHO, ...filler('other', 40).map((made) => ({ ...made, invokeName: made.modelName }))];
const BY_PATTERNS = { strategies: ['regex'], references: true, maxDeferred: 1_000 };
const NATIVE: Partial<ModelInfo> = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000 } };
const count = (value: string) => Math.ceil(value.length / 3);
const usage = (inputTokens: number): ModelEvent => ({ type: 'usage', usage: { inputTokens, outputTokens: 5 } });
const soFar = (inputTokens: number): ModelEvent => ({ ...usage(inputTokens), soFar: true }) as ModelEvent;
/** A delivery, with a model that can have each. */
const over = (delivery: string) => ({ info: NATIVE, settings: { delivery: delivery as 'server' } });
const found: ModelEvent = {
  type: 'search',
  search: { callId: 'srv', queries: ['sum'], strategy: 'bm25', found: ['math_sum'] },
};
const search = call('search_tools', { queries: ['sum of numbers'] }, 's1');

const of = <Type extends LedgerEvent['type']>({ events }: Came, type: Type) =>
  events.filter((event): event is Extract<LedgerEvent, { type: Type }> => event.type === type);

/** Checks that each call is followed by its result, since every service refuses anything else. */
function expectWhole(conversation: Transcript): void {
  for (const [index, item] of conversation.entries()) {
    if (item.kind !== 'assistant' || item.calls.length === 0) continue;
    const next = conversation[index + 1];
    const answered = next?.kind === 'results' ? next.results.map((result) => result.callId) : [];
    expect(answered.sort()).toEqual(item.calls.map((made) => made.callId).sort());
  }
}

const searching = (called: ModelEvent): readonly Script[] => [
  [search, usage(700)],
  [called, usage(800)],
  [text('It is 3.'), usage(900)],
];
/** The same exchange over each delivery: search, call, answer. */
const EXCHANGES: { readonly [delivery: string]: readonly Script[] } = {
  server: [
    [text('Let me see.'), found, call('math_sum', { a: 1 }, 'c1'), usage(1_500)],
    [text('It is 3.'), usage(900)],
  ],
  client: searching(call('math_sum', { a: 1 }, 'c1')),
  local: searching(call('math_sum', { a: 1 }, 'c1')),
  bridge: searching(call('call_tool', { name: 'math_sum', arguments: { a: 1 } }, 'c1')),
};

describe.each(DRIVERS)('%s', (_, ask) => {
  it('names deferred tools’ servers if wanted, equally in each request', async () => {
    const script = [[search], [call('math_sum', { a: 1 }, 'c1')], [text('It is 3.')]];
    const announced = async (guidance: 'servers' | 'off') => {
      const port = new TestModel(script);
      const came = await ask({ port, tools: TOOLS, settings: { mode: 'on', delivery: 'local', guidance } });
      const systems = new Set(port.requests.map(({ system }) => system));
      expect(systems.size).toBe(1);
      const [round] = of(came, 'roundEnded');
      return { system: [...systems][0] ?? '', overhead: round?.tokens.searchOverhead.value ?? 0 };
    };
    const [off, servers] = [await announced('off'), await announced('servers')];
    expect(off.system).toBe('');
    expect(servers.system).toContain('math');
    expect(servers.overhead).toBeGreaterThan(off.overhead);
  });

  it('has the settings that toolsearch.models gives its model', async () => {
    const port = new TestModel([[text('Hello.')]]);
    const { vendor, id } = port.info;
    await ask({
      port,
      tools: TOOLS,
      settings: { mode: 'off', models: { [`${vendor}/*`]: { mode: 'on' }, [`*/${id}`]: { mode: 'off' } } },
    });
    expect(port.requests[0]?.tools.map(({ name }) => name)).toEqual(['search_tools']);
  });
});

describe('the figures of the same exchange', () => {
  const withoutUsage = (script: Script): Script =>
    (script as readonly ModelEvent[]).filter((event) => event.type !== 'usage');
  const ways = Object.keys(EXCHANGES).flatMap((delivery) =>
    [true, false].flatMap((counts) => [true, false].map((reports) => ({ delivery, counts, reports }))),
  );

  it.each(ways)(
    'are equal to the token ($delivery, counts: $counts, reports usage: $reports)',
    async ({ delivery, counts, reports }) => {
      const script = EXCHANGES[delivery] ?? [];
      const ask = async (drive: Drive) => {
        const port = new TestModel(reports ? script : script.map(withoutUsage), {
          info: NATIVE,
          ...(counts ? { count } : {}),
        });
        // The count of a request that a provider with its own search reads at once.
        if (counts) Object.assign(port, { countRequest: async () => 600 });
        const came = await drive({ port, tools: TOOLS, settings: { delivery: delivery as 'server' } });
        return {
          figures: of(came, 'roundEnded').map(({ round, tokens, outputTokens }) => ({ round, tokens, outputTokens })),
          came,
        };
      };
      const [turn, relay] = [await ask(askTurn), await ask(askRelay)];
      expect(turn.figures).toHaveLength(script.length);
      expect(relay.figures).toEqual(turn.figures);
      const { answer: _, calls, ...report } = turn.came.report ?? {};
      expect(relay.came.report).toMatchObject(report);
      expect(relay.came.report?.calls.map(({ tool: id, ok: well }) => [id, well])).toEqual(
        calls?.map(({ tool: id, ok: well }) => [id, well]),
      );
      if (delivery === 'server' && counts && reports)
        expect(turn.came.report?.netSavedTokens).toBe(relay.came.report?.netSavedTokens);
    },
  );
});

describe.each(DRIVERS)('%s', (_, drive) => {
  const ask = (
    script: readonly Script[],
    rest: Partial<Parameters<Drive>[0]> & { readonly info?: Partial<ModelInfo> } = {},
  ) => {
    const port = new TestModel(script, { ...(rest.info ? { info: rest.info } : {}) });
    return { port, came: drive({ port, tools: TOOLS, ...rest }) };
  };

  it.each(Object.keys(EXCHANGES))('has its searches answered and its calls run (%s)', async (delivery) => {
    const result = await ask(EXCHANGES[delivery] ?? [], over(delivery)).came;
    expect(result.ran).toEqual(['math/sum']);
    expect(result.report).toMatchObject({ status: 'answered', discovered: expect.arrayContaining(['math/sum']) });
    expect(of(result, 'called')).toMatchObject([
      { tool: 'math/sum', outcome: 'ok', withoutDiscovery: false, summary: 'done' },
    ]);
    expectWhole(result.conversation);
  });

  it('keeps apart what several rounds say', async () => {
    const { came } = ask([
      [text('Let me see.'), search],
      [text('\tHm.'), call('search_tools', { queries: ['zz1'] }, 's2')],
      [text('There is one.'), call('math_sum', {}, 'c1')],
      [text('Done.')],
    ]);
    const { said } = await came;
    expect(said.startsWith('Let me see.\tHm.\n\nThere is one.')).toBe(true);
  });

  it('makes no more calls than the limit, and tells the model', async () => {
    const both = [call('math_echo', {}, 'c2'), call('math_echo', {}, 'c3')];
    const { port, came } = ask([[call('math_echo', {}, 'c1')], both, [text('I stop.')]], {
      settings: { toolCallsPerTurn: 2 },
    });
    const result = await came;
    expect(result.ran).toHaveLength(2);
    expect(JSON.stringify(port.requests.at(-1)?.transcript)).toMatch(/limit of 2 tool calls/);
    const outcomes = of(result, 'called').map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['ok', 'ok', 'refused']);
    expect(result.report?.status).toBe('answered');
  });

  it('doesn’t search without end', async () => {
    const { port, came } = ask(
      Array.from({ length: 9 }, (_unused, index) => [call('search_tools', { queries: ['sum'] }, `s${index}`)]),
      { settings: { toolCallsPerTurn: 3 } },
    );
    expect((await came).report).toMatchObject({ status: 'failed', message: expect.stringMatching(/toolCallsPerTurn/) });
    expect(port.requests).toHaveLength(4);
  });

  it('doesn’t let a tool fail more often than the limit', async () => {
    const script = Array.from({ length: 3 }, (_unused, index) => [call('math_echo', {}, `c${index}`)]);
    const { came } = ask([...script, [text('I give up.')]], {
      settings: { retriesPerTool: 1 },
      answer: () => fails('MCP error -32000: broken'),
    });
    const result = await came;
    expect(result.ran).toHaveLength(2);
    expect(result.report?.status).toBe('answered');
    expect(of(result, 'called').map(({ outcome, retry }) => [outcome, retry])).toEqual([
      ['failed', 0],
      ['failed', 1],
      ['refused', 2],
    ]);
  });

  it('plans again once if the service says the model can’t search so', async () => {
    const model = new TestModel([[new ModelError('No search by words here.', { replan: true })], [text('ok')]], {
      info: NATIVE,
      count,
    });
    const port: ModelPort = {
      get info() {
        return model.requests.length === 0 ? model.info : { ...model.info, native: BY_PATTERNS };
      },
      send: model.send.bind(model),
      countTokens: model.countTokens.bind(model),
    };
    const came = await drive({ port, tools: TOOLS, settings: { delivery: 'server' } });
    expect(model.requests.map((request) => request.strategy)).toEqual(['bm25', 'regex']);
    expect(came.warnings).toEqual(['No search by words here.']);
    expect(came.report).toMatchObject({ status: 'answered', delivery: 'server', strategy: 'regex', rounds: 1 });
    expect(of(came, 'roundEnded')).toHaveLength(1);
    expect(of(came, 'turnEnded')).toHaveLength(1);
    expect(came.report?.sentTokens).toBe(of(came, 'roundEnded')[0]?.tokens.sent.value);
  });

  it('is reported with the strategy that answered if the chosen one failed', async () => {
    const { came } = ask([[search], [text('ok')]], {
      settings: { strategy: 'mine', delivery: 'local' },
      search: (source) => ({
        search: async (request, signal) => ({
          ...(await searchOver(source).search({ ...request, strategy: 'bm25' }, signal)),
          ...(request.strategy === 'mine'
            ? { warning: { user: '„mine“ ging nicht.', model: '"mine" failed; bm25 searched instead.' } }
            : {}),
        }),
      }),
    });
    const result = await came;
    expect(result.report?.strategy).toBe('bm25');
    expect(result.warnings).toEqual(['„mine“ ging nicht.']);
  });

  it('warns of what the wire left out and of uncallable tools', async () => {
    const { port, came } = ask([[{ type: 'warning', message: 'left out' }, text('plain')]], {
      info: { toolCalling: false },
    });
    const { warnings } = await came;
    expect(warnings).toEqual([expect.stringMatching(/can't call tools/), 'left out']);
    expect(port.requests[0]?.tools).toEqual([]);
  });

  it('keeps that the service asked to wait', async () => {
    const { came } = ask([[{ type: 'waiting', models: 'Claude', seconds: 12 }, text('plain')]]);
    expect((await came).events).toContainEqual(
      expect.objectContaining({ type: 'warned', message: 'Claude asks to wait 12 s.' }),
    );
  });

  describe('asked again after a server has one tool more', () => {
    const NEW = tool('math', 'abs', 'Absolute value of a number');
    const later = (source: { catalog: unknown }) =>
      Object.assign(source, { catalog: makeCatalog([...TOOLS, NEW], undefined, 2) });

    it.each(Object.keys(EXCHANGES))('sends the same prefix, and says at the end what came (%s)', async (delivery) => {
      const script = EXCHANGES[delivery] ?? [];
      const { port, came } = ask([...script, [text('I see.')]], { ...over(delivery), askAgainAfter: later });
      await came;
      const [first, last] = [port.requests[0], port.requests.at(-1)];
      expect(first?.system).toMatch(/42 tools of /);
      expect(last?.system).toBe(first?.system);
      expect(last?.tools.slice(0, first?.tools.length)).toEqual(first?.tools);
      const before = port.requests.at(-2)?.transcript ?? [];
      const without = (items: Transcript) =>
        JSON.parse(JSON.stringify(items, (key, value) => (key === 'conversationPlan' ? undefined : value)));
      expect(without(last?.transcript.slice(0, before.length) ?? [])).toEqual(without(before));
      expect(last?.transcript.slice(-2)).toMatchObject([
        { kind: 'user', text: 'and now this' },
        { kind: 'user', note: true, text: expect.stringContaining('1 more of "math"') },
      ]);
    });

    it('keeps to mode auto’s choice, by its first question’s estimate', async () => {
      // By the usual ratio the definitions fit. The model, asked later, counts more tokens.
      const few = TOOLS.slice(0, 20);
      const port = new TestModel([[text('one')], [text('two')]], {
        info: { maxInputTokens: 10_000 },
        count: (value) => Math.ceil(value.length / 2),
      });
      const came = await drive({ port, tools: few, settings: { autoContextPercent: 10 }, askAgainAfter: () => {} });
      expect(came.events.filter((event) => event.type === 'turnStarted').map((event) => event.counts.deferred)).toEqual(
        [0, 0],
      );
      expect(port.requests[1]?.system).toBe(port.requests[0]?.system);
    });
  });

  it('asked again after it failed appears once', async () => {
    const { port, came } = ask([[new ModelError('Overloaded.', { unanswered: true })], [text('Done.')]], {
      again: 'do it',
      askAgainAfter: () => {},
    });
    await came;
    expect(port.requests[1]?.transcript).toMatchObject([{ kind: 'user', text: 'do it' }]);
  });

  describe('cancelled', () => {
    it('before it began sends nothing', async () => {
      const abort = new AbortController();
      abort.abort();
      const { port, came } = ask([[text('never')]], { signal: abort.signal });
      expect((await came).report?.status).toBe('cancelled');
      expect(port.requests).toEqual([]);
    });

    const reply = [text('Let me '), text('see.'), search, call('math_echo', {}, 'c1'), text('Done.')];
    it.each([0, 1, 2, 3, 4, 5])('in a reply after %i events runs nothing and stays whole', async (after) => {
      const abort = new AbortController();
      const port = new TestModel([]);
      // A model that ignores its signal.
      port.send = async function* () {
        for (const event of reply.slice(0, after)) yield event;
        abort.abort();
        await new Promise(() => {});
      };
      const came = await drive({ port, tools: TOOLS, signal: abort.signal });
      expect(came.report).toMatchObject({ status: 'cancelled', rounds: 1, measured: false });
      expect(came.ran).toEqual([]);
      expect(of(came, 'searched')).toEqual([]);
      expect(of(came, 'turnEnded')).toHaveLength(1);
      expectWhole(came.conversation);
    });

    it('while a tool runs asks no more', async () => {
      const abort = new AbortController();
      const { port, came } = ask([[call('math_echo', {}, 'c1')]], {
        signal: abort.signal,
        answer: () => {
          abort.abort();
          return { outcome: 'cancelled', parts: [{ type: 'text', text: 'Cancelled.' }] };
        },
      });
      const result = await came;
      expect(result.report?.status).toBe('cancelled');
      expect(port.requests).toHaveLength(1);
      expectWhole(result.conversation);
    });
  });

  describe('whose reply is cut', () => {
    const whole = [soFar(700), text('Let me '), found, text('see.'), call('math_sum', {}, 'c1')];
    const cuts = ['server', 'local'].flatMap((delivery) => whole.map((_event, after) => ({ delivery, after })));

    it.each(cuts)(
      'after $after events counts what it got, and says what it didn’t ($delivery)',
      async ({ delivery, after }) => {
        const heard = whole.slice(0, after).filter((event) => delivery === 'server' || event !== found);
        const result = await ask([[...heard, new ModelError('The connection broke.')]], over(delivery)).came;
        expect(result.report).toMatchObject({ status: 'failed', message: 'The connection broke.', measured: false });
        const [round] = of(result, 'roundEnded');
        const announced = after > 0;
        // A provider with its own search may have read more than it has reported.
        expect(round?.tokens.sent.certainty).toBe(announced && delivery === 'local' ? 'measured' : 'estimated');
        expect(round?.tokens.sent.value).toBeGreaterThanOrEqual(announced ? 700 : 1);
        expect(round?.outputTokens?.certainty).toBe('estimated');
        expect(result.ran).toEqual([]);
      },
    );

    it('costs nothing if the service refused to begin', async () => {
      const { came } = ask([[new ModelError('No credit.', { unanswered: true })]]);
      const [round] = of(await came, 'roundEnded');
      expect(round?.tokens.sent).toEqual({ value: 0, certainty: 'measured' });
      expect(round?.outputTokens).toBeUndefined();
    });
  });

  it('isn’t held up by a count that never comes; estimates replace it', async () => {
    const waiting: (() => void)[] = [];
    const timer: Timer = (run) => {
      waiting.push(run);
      return () => {};
    };
    const port = new TestModel([
      [call('math_echo', {}, 'c1')],
      () => {
        for (const run of waiting.splice(0)) run();
        return [text('ok')];
      },
    ]);
    Object.assign(port, { countTokens: () => new Promise(() => {}) });
    const came = await drive({ port, tools: TOOLS, timer });
    expect(came.ran).toEqual(['math/echo']);
    expect(of(came, 'roundEnded')).toMatchObject([
      { tokens: { sent: { certainty: 'estimated' } } },
      { tokens: { sent: { certainty: 'estimated' } } },
    ]);
    expect(came.events.at(-1)?.type).toBe('turnEnded');
  });
});

describe('a question and an agent’s request differ', () => {
  const batch: Script = Array.from({ length: 5 }, (_, index) => call('math_echo', {}, `c${index}`));
  const setting = () => ({
    port: new TestModel([batch, [text('ok')]]),
    tools: TOOLS,
    settings: { retriesPerTool: 0 },
    answer: () => fails('MCP error -32000: broken'),
  });

  it('calls that an agent runs are in its hands at once', async () => {
    expect((await askTurn(setting())).ran).toHaveLength(1);
    expect((await askRelay(setting())).ran).toHaveLength(5);
  });

  it('goes on from what had run, when asked again in chat', async () => {
    const asked = async (again: string) => {
      const port = new TestModel([[call('math_echo', {}, 'c1')], [new ModelError('Overloaded.')], [text('Done.')]]);
      const came = await askTurn({ port, tools: TOOLS, again, askAgainAfter: () => {} });
      expect(came.ran).toHaveLength(1);
      return port.requests.at(-1)?.transcript.map((item) => (item.kind === 'user' ? item.text : item.kind));
    };
    const ran = ['do it', 'assistant', 'results'];
    expect(await asked('do it')).toEqual(ran);
    expect(await asked('thanks')).toEqual([...ran, 'assistant', 'thanks']);
  });

  it('an agent decides itself what an empty answer means', async () => {
    const empty = () => ({ port: new TestModel([[]]), tools: TOOLS });
    expect((await askTurn(empty())).report).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/empty answer/),
    });
    expect((await askRelay(empty())).report?.status).toBe('answered');
  });

  it('an agent’s own tools meet no limit', async () => {
    const edit = makeTool('vscode', 'editFile', 'Edits a file', {
      id: 'editFile',
      invokeName: 'editFile',
      modelName: 'editFile',
      origin: 'vscode',
    });
    const calls = Array.from({ length: 3 }, (_, index) => [call('editFile', {}, `c${index}`)]);
    const port = new TestModel([...calls, [text('ok')]]);
    const came = await askRelay({ port, tools: [edit], settings: { toolCallsPerTurn: 1 } });
    expect(came.ran).toHaveLength(3);
  });
});
