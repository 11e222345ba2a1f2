import { describe, expect, it, type MockInstance, vi } from 'vitest';
import type { AgentTool } from '../../../../src/core/agents/agentCatalog';
import { type RelayOutcome, relay } from '../../../../src/core/agents/relay';
import type { RelayRequest } from '../../../../src/core/agents/relayRequest';
import { RelayTurns } from '../../../../src/core/agents/relayTurns';
import { type AgentItem, ReplyCache } from '../../../../src/core/agents/replyCache';
import type { Catalog } from '../../../../src/core/catalog/catalog';
import type { ToolCall } from '../../../../src/core/conversation/transcript';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { ModelError, type ModelInfo } from '../../../../src/core/ports';
import type { SearchPort } from '../../../../src/core/search/types';
import type { Settings } from '../../../../src/core/settings/settings';
import { result, results } from '../../../data/items';
import {
  call,
  choices,
  filler,
  makeCatalog,
  makeServices,
  makeTool,
  type Script,
  SETTINGS,
  schema,
  TestModel,
  TestSource,
  text,
} from '../turn/world';
import { asAgentTool } from './world';

const sum = makeTool('math', 'sum', 'Adds two numbers.', { inputSchema: schema({ a: { type: 'number' } }) });
const issue = makeTool('github', 'create_issue', 'Creates an issue.');
const catalog = makeCatalog([sum, issue, ...filler('filler', 40)]);
const NATIVE: Partial<ModelInfo> = { native: { strategies: ['bm25', 'regex'], references: true, maxDeferred: 100 } };

/** Settings that no model of this file can meet. */
const UNMET = { delivery: 'server', strategy: 'keywords' } as const;

/** The tools that agent mode passes: all of `vscode.lm.tools`, Tool Search's among them, and a tool of its own. */
const TOOLS: readonly AgentTool[] = [
  ...catalog.tools.map(asAgentTool),
  { name: 'editFile', description: 'Edits a file.', inputSchema: schema({}) },
  { name: 'toolsearch_search_tools', description: 'Searches.', inputSchema: schema({}) },
];

/** Waits until a round is recorded. This happens a moment after the reply, so that counting doesn't delay the agent. */
const recorded = () => new Promise((resolve) => setImmediate(resolve));

/** An agent with its own tool loop. It records what it shows and keeps its conversation as agents do. */
class Caller {
  readonly kept = new ReplyCache();
  readonly logged: string[] = [];
  readonly items: AgentItem[] = [];
  readonly ledger = new Ledger();
  readonly #clock = { now: () => 0, timer: () => () => {}, yieldToEventLoop: async () => {} };
  readonly turns = new RelayTurns(this.ledger, this.#clock);
  readonly model: TestModel;
  said = '';
  search: MockInstance<SearchPort['search']> | undefined;
  #settings: Partial<Settings>;
  #tools: readonly AgentTool[];
  #source: TestSource;

  constructor(
    script: readonly Script[],
    options: {
      info?: Partial<ModelInfo>;
      settings?: Partial<Settings>;
      tools?: readonly AgentTool[];
      known?: Catalog;
    } = {},
  ) {
    this.model = new TestModel(script, { info: options.info ?? NATIVE });
    this.#settings = options.settings ?? {};
    this.#tools = options.tools ?? TOOLS;
    this.#source = new TestSource(options.known ?? catalog);
  }

  /** Sends one request. With `back` as `data`, later requests contain the reply's data parts as JSON. */
  async ask(
    rest: Partial<RelayRequest> = {},
    back: 'data' | 'plain' = 'plain',
  ): Promise<RelayOutcome & { readonly calls: ToolCall[] }> {
    const calls: ToolCall[] = [];
    const transcript = this.kept.restore(this.items);
    const services = makeServices(this.#source, {
      ledger: this.ledger,
      user: choices(() => ({ ...SETTINGS, delivery: 'server', ...this.#settings })),
      clock: this.#clock,
    });
    this.search = vi.spyOn(services.search, 'search');
    const outcome = await relay(
      {
        services,
        turns: this.turns,
        log: (line) => this.logged.push(line),
      },
      { port: this.model, system: 'You are an agent.', transcript, tools: this.#tools, mustCall: false, ...rest },
      { text: (delta) => (this.said += delta), call: (made) => calls.push(made) },
      new AbortController().signal,
    ).finally(recorded);
    this.kept.remember(outcome.kept, outcome.visible, transcript);
    this.items.push({
      item: { kind: 'assistant', ...outcome.visible },
      ...(back === 'data' ? { kept: JSON.parse(JSON.stringify(outcome.kept)) } : {}),
    });
    return { ...outcome, calls };
  }

  user(value: string): this {
    this.items.push({ item: { kind: 'user', text: value } });
    return this;
  }

  results(calls: readonly ToolCall[], value = 'done'): this {
    this.items.push({ item: results(...calls.map(({ callId }) => result(callId, value))) });
    return this;
  }

  request(index: number) {
    const request = this.model.requests[index];
    if (!request) throw new Error(`There is no request ${index}`);
    return {
      ...request,
      toolNames: request.tools.map((tool) => tool.name),
      deferredNames: request.deferred.map((tool) => tool.name),
    };
  }
}

const searched: Script = [
  { type: 'search', search: { callId: 's1', queries: ['add'], strategy: 'bm25', found: ['mcp_math_sum'] } },
  { type: 'opaque', block: { wire: 'anthropic', value: [{ type: 'thinking' }] } },
  text('I add. '),
  call('mcp_math_sum', { a: 1 }, 'c1'),
];
const calls: Script = [call('mcp_math_sum', { a: 1 }, 'c1')];

/** A caller that has asked once. */
async function asked(options: ConstructorParameters<typeof Caller>[1], script: Script = [text('Hello.')]) {
  const caller = new Caller([script], options).user('hi');
  return Object.assign(caller, { reply: await caller.ask() });
}

describe('a request of another agent', () => {
  it('defers by the settings, by the caller’s names, and keeps unsearchable tools', async () => {
    const caller = new Caller([searched]).user('add');
    const reply = await caller.ask();
    const request = caller.request(0);
    expect(request.delivery).toBe('server');
    expect(request.toolNames).toEqual(['editFile']);
    expect(request.deferredNames).toHaveLength(42);
    expect(request.deferredNames).toContain('mcp_math_sum');
    expect(request.system).toMatch(/^You are an agent\.\n\n42 tools of /);
    expect(caller.said).toBe('I add. ');
    expect(reply.calls).toEqual([{ callId: 'c1', name: 'mcp_math_sum', input: { a: 1 } }]);
  });

  it.each(['data', 'plain'] as const)(
    'plays searches and opaque blocks back to the model, whether the caller does (%s)',
    async (back) => {
      const caller = new Caller([searched, [text('Done.')]]).user('add');
      caller.results((await caller.ask({}, back)).calls);
      // A new cache, since another window has no memory of the reply.
      if (back === 'data') Object.assign(caller, { kept: new ReplyCache() });
      await caller.ask();
      const { transcript, deferred, tools } = caller.request(1);
      expect(transcript.map((item) => item.kind)).toEqual(['user', 'assistant', 'results']);
      expect(transcript[1]).toMatchObject({
        searches: [{ queries: ['add'], found: ['math/sum'] }],
        opaque: [{ wire: 'anthropic', value: [{ type: 'thinking' }] }],
      });
      expect([tools, deferred]).toEqual([caller.request(0).tools, caller.request(0).deferred]);
    },
  );

  it('makes tools eager that were called in a conversation that nobody remembers', async () => {
    const caller = new Caller([searched, [text('Done.')]]).user('add');
    caller.results((await caller.ask()).calls);
    Object.assign(caller, { kept: new ReplyCache() });
    await caller.ask();
    expect(caller.request(1).toolNames).toEqual(['mcp_math_sum', 'editFile']);
    expect(caller.request(1).deferredNames).not.toContain('mcp_math_sum');
  });

  it('keeps every tool callable that its chat began with', async () => {
    const settings: { mode: Settings['mode'] } = { mode: 'off' };
    const names = ['mcp_math_sum', 'editFile', 'toolsearch_search_tools'];
    const again: Script = names.map((name, index) => call(name, { a: 2 }, `again${index}`));
    const caller = new Caller([calls, [text('Done.')], again], {
      info: { native: { strategies: ['provider'], references: true, maxDeferred: 100 }, addsTools: true },
      settings: Object.assign(settings, { delivery: 'server', scope: 'mcp' } as const),
    }).user('add');
    caller.results((await caller.ask()).calls);
    await caller.ask();
    settings.mode = 'on';
    const reply = await caller.user('add again').ask();
    expect(reply.calls.map(({ name }) => name)).toEqual(names);
    expect(caller.request(2).tools).toEqual(caller.request(0).tools);
    expect(caller.request(2).deferred).toEqual([]);
  });

  it('joins its own results with the caller’s when one reply had both', async () => {
    const both: Script = [call('search_tools', { queries: ['adds two numbers'] }, 's1'), call('editFile', {}, 'c1')];
    const caller = new Caller([both, [text('Done.')]], { settings: { delivery: 'client' } }).user('edit');
    const reply = await caller.ask();
    expect(reply.calls.map((made) => made.name)).toEqual(['editFile']);
    const turn = { prompt: 'edit', model: 'test/scripted' };
    expect(caller.search?.mock.calls[0]?.[0].asker).toEqual({ turn, discovered: new Set() });
    caller.results(reply.calls);
    await caller.ask();
    const last = caller.request(1).transcript.at(-1);
    expect(last?.kind === 'results' && last.results.map((result) => result.callId)).toEqual(['s1', 'c1']);
  });

  it('needs our own tools if it passes no tool of a server', async () => {
    const browse = (index: number) => makeTool('vscode', `browse_${index}`, 'Opens a page.', { origin: 'vscode' });
    const pages = Array.from({ length: 40 }, (_, index) => browse(index));
    const tools = TOOLS.filter(({ name }) => name.startsWith('toolsearch_')).concat(pages.map(asAgentTool));
    const known = makeCatalog([...catalog.tools, ...pages]);
    const caller = await asked({ tools, known, settings: { scope: 'all', mode: 'on', coreTools: [] } });
    expect(caller.request(0).deferredNames).toHaveLength(40);
    expect(caller.request(0).toolNames).toContain('toolsearch_search_tools');
  });

  it('defers no VS Code tool by scope auto: the agent chooses those', async () => {
    const page = makeTool('vscode', 'browse', 'Opens a page.', { origin: 'vscode' });
    const tools = [...TOOLS, asAgentTool(page)];
    const known = makeCatalog([...catalog.tools, page]);
    const caller = await asked({ tools, known, settings: { scope: 'auto', mode: 'on' } });
    expect(caller.request(0).toolNames).toContain(page.invokeName);
    expect(caller.request(0).deferredNames).toContain('mcp_math_sum');
  });

  it.each([
    [true, 'stays in its beginning if the model removes tools'],
    [false, 'leaves its beginning if the model removes none'],
  ])('whose agent no longer passes a tool (%s: %s)', async (removesTools) => {
    const info = { ...NATIVE, addsTools: true, removesTools };
    const caller = new Caller([[text('a')], [text('b')]], { info, settings: { mode: 'off' } }).user('hi');
    await caller.ask();
    await caller.user('again').ask({ tools: TOOLS.filter(({ name }) => name !== 'mcp_math_sum') });
    expect(caller.request(0).toolNames).toContain('mcp_math_sum');
    expect(caller.request(1).toolNames.includes('mcp_math_sum')).toBe(removesTools);
  });

  it('passes everything if the caller demands a call', async () => {
    const caller = new Caller([[text('a')], calls], { info: { ...NATIVE, addsTools: true } }).user('hi');
    await caller.ask({ tools: TOOLS.slice(1) });
    await caller.user('add').ask({ mustCall: true });
    expect(caller.request(1).deferred).toEqual([]);
    expect(caller.request(1).required).toHaveLength(TOOLS.length);
  });

  it('passes everything if the settings can’t be met, and logs that', async () => {
    const caller = await asked({ settings: UNMET }, [{ type: 'waiting', models: 'Claude', seconds: 9 }]);
    expect(caller.request(0).toolNames).toHaveLength(TOOLS.length);
    const words = expect.stringMatching(/can’t search with the strategy keywords/);
    expect(caller.logged).toEqual([words, 'Claude asks to wait 9 s.']);
    expect(caller.ledger.events).toContainEqual(expect.objectContaining({ type: 'warned', message: words }));
  });

  it('passes no hidden tool, even if the settings can’t be met', async () => {
    const caller = await asked({ settings: { ...UNMET, hiddenTools: { math: ['sum'] } } });
    expect(caller.request(0).toolNames).toHaveLength(TOOLS.length - 1);
    expect(caller.request(0).toolNames).not.toContain('mcp_math_sum');
  });

  it('is refused with a reason when there are too many tools', async () => {
    const caller = new Caller([], { info: { maxTools: 20 }, settings: { mode: 'off' } }).user('hi');
    await expect(caller.ask()).rejects.toThrow(/44 tools are eager, but Scripted accepts at most 20/);
  });

  it('keeps names off the wire that providers refuse or that are ours', async () => {
    const tools = [
      { name: 'search_tools', description: 'Mine.', inputSchema: schema({}) },
      { name: `long.${'x'.repeat(80)}`, description: 'Long.', inputSchema: schema({}) },
    ];
    const caller = await asked({ tools }, (sent) => sent.tools.map((tool) => call(tool.name, {}, `c-${tool.name}`)));
    for (const name of caller.request(0).toolNames) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(caller.request(0).toolNames).not.toContain('search_tools');
    expect(caller.reply.calls.map((made) => made.name).sort()).toEqual(tools.map((tool) => tool.name).sort());
  });
});

describe('the ledger of another agent’s turn', () => {
  const types = (caller: Caller) => caller.ledger.events.map((event) => event.type);

  it('holds each request of a question, its searches and its calls', async () => {
    const caller = new Caller([searched, [text('Done.')]]).user('add');
    caller.results((await caller.ask()).calls, 'It is 3.');
    await caller.ask();
    const first = ['roundStarted', 'searched', 'discovered', 'roundEnded'];
    expect(types(caller)).toEqual(['turnStarted', ...first, 'called', 'roundStarted', 'roundEnded', 'turnEnded']);
    expect(caller.ledger.events).toContainEqual(
      expect.objectContaining({ type: 'called', tool: 'math/sum', summary: 'It is 3.', withoutDiscovery: false }),
    );
    expect(caller.ledger.events[0]).toMatchObject({ prompt: 'add', agent: true });
    expect(caller.ledger.events.flatMap((event) => (event.type === 'roundEnded' ? [event.round] : []))).toEqual([1, 2]);
    expect(caller.ledger.events.at(-1)).toMatchObject({ turn: 1, status: 'answered' });
  });

  it('fails with an error of ours too', async () => {
    const caller = new Caller([[text('Hello.')]]).user('hi');
    caller.model.send = () => {
      throw new TypeError('x is undefined');
    };
    await expect(caller.ask()).rejects.toThrow('x is undefined');
    expect(caller.ledger.events.at(-1)).toMatchObject({ status: 'failed', message: expect.stringMatching(/internal/) });
  });

  it('tells a later one that it isn’t pending once it failed', async () => {
    const fails = [new ModelError('Overloaded.')];
    const caller = new Caller([fails, [text('Ok.')], fails, [call('mcp_math_sum', { a: 1 })], fails, [text('Well.')]]);
    const read = (request = caller.model.requests.at(-1)) =>
      request?.transcript.map((item) => (item.kind === 'results' ? 'results' : item.text.slice(0, 27)));
    const failed = '(This question failed befor';
    caller.user('pay');
    await expect(caller.ask()).rejects.toThrow('Overloaded.');
    // The same question again.
    caller.user('pay ');
    await caller.ask();
    expect(read()).toEqual(['pay ']);
    caller.user('add');
    await expect(caller.ask()).rejects.toThrow('Overloaded.');
    // Another question, which calls a tool and then fails.
    caller.user('add 1');
    const { calls } = await caller.ask();
    expect(read()).toEqual(['pay ', 'Ok.', 'add', failed, 'add 1']);
    caller.results(calls);
    await expect(caller.ask()).rejects.toThrow('Overloaded.');
    caller.user('thanks');
    await caller.ask();
    expect(read()).toEqual(['pay ', 'Ok.', 'add', failed, 'add 1', '', 'results', failed, 'thanks']);
  });

  it('has no turn for requests without tools, such as chat titles', async () => {
    const caller = new Caller([[text('A title')]], { tools: [], settings: UNMET }).user('name this chat');
    await caller.ask();
    expect(caller.ledger.events).toEqual([]);
    expect(caller.logged).toEqual([]);
  });
});
