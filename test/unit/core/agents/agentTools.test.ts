import { describe, expect, it, vi } from 'vitest';
import type { AgentCall } from '../../../../src/core/agents/agentTools';
import type { Tool } from '../../../../src/core/catalog/tool';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { Ledger } from '../../../../src/core/ledger/ledger';
import type { ToolRun } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import type { Timer } from '../../../../src/core/util/timers';
import { useSandbox } from '../../sandbox/builtSandbox';
import { choices, fails, filler, makeTool, ok, SETTINGS, schema, scriptHost, TestRunner } from '../turn/world';
import { makeAgentTools } from './world';

const ECHO = makeTool('math', 'echo', 'Echoes back its input', {
  inputSchema: schema({ message: { type: 'string' } }),
});
const TOOLS = [ECHO, makeTool('math', 'add', 'Adds numbers'), ...filler('many', 400)];
const never = new AbortController().signal;
const made = useSandbox();

/** The agent's tools with a clock that never moves, and timers that a test fires. */
function setUp(tools: readonly Tool[] = TOOLS, settings: Partial<Settings> = {}, runner = new TestRunner()) {
  const timers = new Set<() => void>();
  let now = 1_000;
  const timer: Timer = (run) => {
    timers.add(run);
    return () => timers.delete(run);
  };
  const { agent, ledger } = makeAgentTools(tools, {
    services: {
      user: choices(() => ({ ...SETTINGS, ...settings })),
      clock: { now: () => now++, timer, yieldToEventLoop: async () => {} },
    },
  });
  const answer = async (tool: AgentCall['tool'], input: unknown, chat = 'chat') => {
    const run = await agent.answer({ tool, input, chat }, { runner, asking: () => 'never' }, never);
    return { ...run, text: run.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
  };
  const idle = () => {
    for (const run of [...timers]) run();
    timers.clear();
  };
  return { agent, answer, runner, ledger, idle };
}

describe('the tools for any agent', () => {
  it('find tools among hundreds, a line for each', async () => {
    const { text } = await setUp().answer('search_tools', { queries: ['echo'] });
    expect(text).toBe('math_echo({ message?: string }) // Echoes back its input');
  });

  it('say that a chat has searched for the same before', async () => {
    const { answer, idle } = setUp();
    const search = (chat: string) => answer('search_tools', { queries: ['echo'] }, chat);
    await search('a');
    await idle();
    expect((await search('a')).text).toMatch(
      /^"echo" \(the same search as before, with the same result\):\nmath_echo\(/,
    );
    expect((await search('b')).text).toMatch(/^math_echo\(/);
  });

  it('find tools of VS Code only with the scope all', async () => {
    const own = makeTool('vscode', 'shout', 'Shouts out its input', { origin: 'vscode' });
    const found = async (scope: Settings['scope']) => {
      const { answer, agent } = setUp([...TOOLS, own], { scope });
      await answer('call_tool', { name: own.modelName, arguments: {} });
      const named = agent.named({ name: own.modelName, arguments: {} })?.id;
      return [(await answer('search_tools', { queries: ['shout'] })).text.includes('vscode_shout'), named];
    };
    expect(await Promise.all((['auto', 'mcp', 'all'] as const).map(found))).toEqual([
      [false, undefined],
      [false, undefined],
      [true, own.id],
    ]);
  });

  it('keep the cut results of each chat from the others', async () => {
    const { agent } = makeAgentTools(TOOLS, { scripts: scriptHost(made.sandbox) });
    const runner = new TestRunner(() => ok('x'.repeat(250_000)));
    const answer = async (chat: string, tool: AgentCall['tool'], input: unknown) =>
      resultText(await agent.answer({ tool, input, chat }, { runner, asking: () => 'never' }, never));
    expect(await answer('one', 'call_tool', { name: 'math_echo', arguments: {} })).toContain('kept as "r1"');
    const read = { code: 'return (await results.get("r1")).length' };
    expect(await answer('one', 'run_code', read)).toBe('250000');
    expect(await answer('two', 'run_code', read)).toContain('Nothing is kept as "r1"');
  });

  it('say so if scripts can’t run', async () => {
    expect(await setUp().answer('run_code', { code: 'return 1' })).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('Use toolsearch_call_tool.'),
    });
  });

  it('describe and run what was found', async () => {
    const { answer, runner } = setUp();
    expect(JSON.parse((await answer('describe_tool', { names: ['math_echo', 'nope'] })).text)).toMatchObject({
      tools: [{ name: 'math_echo' }],
      unknown: ['nope'],
      message: expect.stringContaining('toolsearch_search_tools'),
    });
    expect(await answer('call_tool', { name: 'math_echo', arguments: { message: 'x' } })).toMatchObject({
      outcome: 'ok',
      text: 'done',
    });
    expect(runner.ran).toEqual([{ id: 'math/echo', input: { message: 'x' } }]);
  });

  it.each<[AgentCall['tool'], unknown, RegExp]>([
    ['search_tools', {}, /^toolsearch_search_tools needs "queries"/],
    ['search_tools', 5, /^toolsearch_search_tools takes an object/],
    ['describe_tool', {}, /^toolsearch_describe_tool needs "names".* that toolsearch_search_tools returned/],
    ['call_tool', {}, /^toolsearch_call_tool needs "name" \(a tool that toolsearch_search_tools returned/],
    ['call_tool', { name: 'nope' }, /no tool named 'nope'.*toolsearch_search_tools finds tools/],
    ['call_tool', { name: 'math_echo', arguments: 5 }, /JSON object/],
  ])('say what is wrong with the input: %s %j', async (tool, input, words) => {
    expect((await setUp().answer(tool, input)).text).toMatch(words);
  });

  it('say that nothing is searchable', async () => {
    expect((await setUp([]).answer('search_tools', { queries: ['echo'] })).text).toMatch(/^"echo": nothing/);
  });

  it('answer inputs that no code could walk', async () => {
    const { answer, runner } = setUp();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const odd = { toString: 1, valueOf: 1 };
    for (const tool of ['search_tools', 'describe_tool', 'call_tool', 'run_code'] as const)
      for (const input of [JSON.parse(deep), { queries: [odd], name: odd }, { queries: ['echo'], search_type: odd }])
        expect((await answer(tool, input)).outcome).toBe('failed');
    for (const given of [JSON.parse(`{"a": ${deep}}`), `{"a": ${deep}}`])
      expect((await answer('call_tool', { name: 'math_echo', arguments: given })).text).toContain('nests too deeply');
    expect(runner.ran).toEqual([]);
  });

  it('know the real tool that a call names, before it runs', () => {
    const { agent } = setUp();
    expect(agent.named({ name: 'math_echo', arguments: { message: 'x' } })).toBe(ECHO);
    expect(agent.named({ name: 'nope' })).toBeUndefined();
  });
});

describe('a client of the MCP endpoint', () => {
  const by = { client: 'claude\u202e-code' };
  const run = async (tool: AgentCall['tool'], input: unknown) => {
    const { agent, ledger, runner } = setUp();
    const { parts } = await agent.answer({ tool, input, chat: 'mcp 1', by }, { runner, asking: () => 'never' }, never);
    return { text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''), ledger };
  };

  it('reads our tools by its own names, and is in the ledger', async () => {
    const { text, ledger } = await run('search_tools', { queries: ['echo'] });
    expect(text).not.toContain('toolsearch_');
    expect(ledger.events[0]).toMatchObject({ prompt: 'Search: echo', model: { vendor: 'mcp', name: 'claude-code' } });
    expect(JSON.stringify(ledger.events)).not.toContain('mcp 1');
    expect((await run('describe_tool', { names: ['nope'] })).text).not.toContain('toolsearch_');
    expect((await run('call_tool', { name: 'nope' })).text).not.toContain('toolsearch_');
  });

  it('lists them, and says what there is to find', () => {
    const { agent } = setUp();
    expect(agent.definitions().map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    expect(agent.definitions()[0]?.description).toMatch(/ Behind it: many, math\.$/);
    expect(agent.definitions('claude-code')[0]?.description).toMatch(/ Behind it: many, math\.$/);
    // The guidance names the servers too, for clients that show it.
    expect(agent.definitions('cursor')[0]?.description).not.toContain('Behind it');
    expect(setUp([]).agent.definitions()[0]?.description).not.toContain('Behind it');
    expect(agent.guidance()).toMatch(/^402 tools of many, math are behind search_tools/);
    expect(setUp([]).agent.guidance()).toBe('');
  });

  it('has scripts if they run', () => {
    const sandbox = { unavailable: undefined, run: () => Promise.reject(new Error('not asked for')) };
    const scripts = scriptHost(sandbox);
    const names = (codeMode: Settings['codeMode']) =>
      makeAgentTools(TOOLS, { scripts, services: { user: choices(() => ({ ...SETTINGS, codeMode })) } })
        .agent.definitions()
        .map(({ name }) => name);
    expect(names('auto')).toEqual(['search_tools', 'call_tool', 'run_code']);
    expect(names('off')).not.toContain('run_code');
  });
});

describe('the ledger', () => {
  const types = (ledger: Ledger, turn: number) =>
    ledger.events.filter((event) => event.turn === turn).map((event) => event.type);

  it('counts one chat’s calls as one turn until it is idle', async () => {
    const { answer, ledger, idle } = setUp();
    await answer('search_tools', { queries: ['echo'] });
    await answer('call_tool', { name: 'math_echo', arguments: {} });
    expect(types(ledger, 1)).toEqual(['turnStarted', 'searched', 'discovered', 'callStarted', 'called']);
    expect(ledger.events[0]).toMatchObject({
      prompt: 'Search: echo',
      model: { name: 'Another agent' },
      counts: { eager: 0, discovered: 0, deferred: 402 },
      strategy: { name: 'auto', why: 'auto: suits the query' },
      chat: 'chat',
      agent: true,
    });
    expect(ledger.events[4]).toMatchObject({ tool: 'math/echo', known: true, withoutDiscovery: false, outcome: 'ok' });
    idle();
    expect(types(ledger, 1).at(-1)).toBe('turnEnded');
    // The requests of an agent are unknown, but not the definitions that were left out of them: those of 402 tools, in
    // two requests.
    const { agentTokens } = ledger.events.find((event) => event.type === 'turnEnded') ?? {};
    expect(agentTokens?.baseline).toMatchObject({ certainty: 'estimated' });
    expect(agentTokens?.baseline.value).toBeGreaterThan(2 * 402 * 20);
    expect(agentTokens?.sent.value).toBeLessThan((agentTokens?.baseline.value ?? 0) / 5);
    await answer('call_tool', { name: 'math_echo', arguments: {} });
    expect(types(ledger, 2)).toEqual(['turnStarted', 'callStarted', 'called']);
    expect(ledger.events.at(-1)).toMatchObject({ withoutDiscovery: false });
  });

  it('has what went wrong with a search, as the log has', async () => {
    const logged: string[] = [];
    const warning = { user: '„mine“ ging nicht.', model: '"mine" failed.' };
    const search = async () => ({ ok: true, hits: [], below: [], nearest: [], warning }) as never;
    const deps = { services: { search: { search } }, warn: (message: string) => void logged.push(message) };
    const { agent, ledger } = makeAgentTools(TOOLS, deps);
    const call = { tool: 'search_tools', input: { queries: ['echo'] }, chat: 'a' } as const;
    await agent.answer(call, { runner: new TestRunner(), asking: () => 'never' }, never);
    expect([logged, ledger.events[2]]).toMatchObject([[warning.user], { type: 'warned', message: warning.user }]);
  });

  it('estimates definitions for each request, except after a search', async () => {
    const baselineOf = async (...calls: (readonly [AgentCall['tool'], unknown])[]) => {
      const { answer, ledger, idle } = setUp();
      await Promise.all(calls.map((call) => answer(...call)));
      idle();
      const ended = ledger.events.find((event) => event.type === 'turnEnded');
      return ended?.agentTokens?.baseline.value ?? 0;
    };
    const searched = await baselineOf(['search_tools', { queries: ['echo'] }]);
    const called = await baselineOf(['call_tool', { name: 'math_echo', arguments: {} }]);
    expect(called / searched).toBeCloseTo(2, 1);
    // Calls that run at the same time are of one reply.
    const both = await baselineOf(
      ...['a', 'b'].map((message) => ['call_tool', { name: 'math_echo', arguments: { message } }] as const),
    );
    expect(both / called).toBeCloseTo(1, 1);
  });

  it('names the user who ran it in the inspector, without savings', async () => {
    const { agent, ledger, runner, idle } = setUp();
    const call = { tool: 'search_tools', input: { queries: ['echo'] }, chat: 'own', by: 'user' } as const;
    await agent.answer(call, { runner, asking: () => 'never' }, never);
    idle();
    expect(ledger.events[0]).toMatchObject({ model: { id: 'user', name: 'You' } });
    expect(ledger.events[0]).not.toHaveProperty('agent');
    expect(ledger.events.find(({ type }) => type === 'turnEnded')).not.toHaveProperty('agentTokens');
  });

  it('keeps chats apart, and says which call no search had found', async () => {
    const { answer, ledger, agent } = setUp();
    await Promise.all([
      answer('search_tools', { queries: ['add'] }, 'a'),
      answer('call_tool', { name: 'math_echo', arguments: {} }, 'b'),
    ]);
    const called = ledger.events.find((event) => event.type === 'called');
    expect(called).toMatchObject({ withoutDiscovery: true });
    expect(types(ledger, called?.turn ?? 0)).toEqual(['turnStarted', 'callStarted', 'called']);
    agent.dispose();
    expect(ledger.events.filter((event) => event.type === 'turnEnded')).toHaveLength(2);
  });
});

describe('an agent’s slip', () => {
  const echo = makeTool('math', 'echo', 'Echoes', {
    inputSchema: schema({ message: { type: 'string' }, number: { type: 'number' }, tags: { type: 'array' } }, [
      'number',
    ]),
  });
  /** The check of a schema that requires `number`. */
  const checkArguments = async (_: Tool, { number, tags = [] }: { readonly [name: string]: unknown }) =>
    typeof number === 'number' && Array.isArray(tags) ? [] : ['misfit'];
  const odd = '{"number":1,"lines":5}[Not arguments of this tool: lines. It has: message, number, tags]';
  const slip = async (input: unknown, tool: AgentCall['tool'] = 'call_tool') => {
    const runner = Object.assign(new TestRunner((_, args) => ok(JSON.stringify(args))), { checkArguments });
    const label = makeTool('math', 'label', '', { inputSchema: schema({ name: {}, color: {} }, ['name']) });
    const twins = [makeTool('left', 'twin'), makeTool('right', 'twin')];
    const { answer } = setUp([echo, label, makeTool('web', 'run_code_unsafe'), ...twins], {}, runner);
    return (await answer(tool, input)).text;
  };

  it.each([
    [{ name: 'math_echo', number: 4711 }, '{"number":4711}'],
    [{ name: 'math_echo', arguments: { message: 'hi' }, number: 4711 }, '{"number":4711,"message":"hi"}'],
    [{ name: 'math_echo', arguments: { number: '4711', tags: '["a"]' } }, '{"number":4711,"tags":["a"]}'],
    [{ name: 'math_echo', arguments: '{"number": 4711}' }, '{"number":4711}'],
    [{ name: 'Math.Echo', arguments: { number: 1 } }, '{"number":1}'],
    [{ tool_name: 'math_echo', parameters: { number: 1 } }, '{"number":1}'],
    [{ name: 'math_echo', tool_input: { number: 1 } }, '{"number":1}'],
    [{ name: 'math_echo', input: '{"number": 1}' }, '{"number":1}'],
    [{ name: 'echo', arguments: { number: 1 } }, '{"number":1}'],
    [{ name: 'echo', arguments: { arguments: { number: 1 } } }, '{"number":1}'],
    [{ name: 'call_tool', arguments: { name: 'echo', arguments: { number: 1 } } }, '{"number":1}'],
    [{ name: 'math_echo', arguments: { number: 1, lines: 5 } }, odd],
    [{ name: 'math_echo', server: 'math', number: 1 }, '{"number":1}'],
    [{ name: 'twin', server: 'left', arguments: '', number: 1 }, '{"number":1}'],
    [{ name: 'math_echo', number: 1, lines: 5 }, odd],
    [
      { name: 'math_echo', arguments: { number: 'many' } },
      "The arguments of math_echo don't fit:\n- misfit\nCall it as math_echo({ number: number; message?: string; tags?: any[] })",
    ],
    [
      { name: 'math_label', color: 'red' },
      'A tool\'s own "name" belongs inside "arguments": {"name":"math_label","arguments":{"name":"…","color":"red"}}',
    ],
    [{ name: 'bug', color: 'red' }, "There is no tool named 'bug'. toolsearch_search_tools finds tools."],
    [
      { name: 'Web', arguments: { action: 'read_page', limit: 5 } },
      '\'web\' is a server, not a tool. This finds its tools: toolsearch_search_tools {"queries":["read page"],"server":"web"}',
    ],
    [{ name: 'search_tools', arguments: { queries: ['echo'] } }, 'Call toolsearch_search_tools itself.'],
    [{ name: 'toolsearch_describe_tool', arguments: {} }, 'Call toolsearch_describe_tool itself.'],
  ])('%j is brought back', async (input, text) => expect(await slip(input)).toBe(text));

  it('that its tool has answered with an error is named', async () => {
    const failure = { ...fails('no such file'), answered: true as const };
    let answer = failure as ToolRun;
    const { answer: ask } = setUp([echo], {}, new TestRunner(() => answer));
    const call = async (number: number) => (await ask('call_tool', { name: 'math_echo', arguments: { number } })).text;
    const again = 'no such file[The same call failed before. Change its arguments, or do without it.]';
    expect([await call(1), await call(2), await call(1)]).toEqual(['no such file', 'no such file', again]);
    answer = ok('');
    expect(await call(2)).toBe('[The call succeeded. Its result is empty.]');
    answer = failure;
    expect(await call(1)).toBe('no such file');
  });

  it('about an id names the tool that lists it', async () => {
    const read = makeTool('notes', 'read', '', { inputSchema: schema({ note_id: { type: 'string' } }, ['note_id']) });
    const failing = new TestRunner(() => ({ ...fails('404'), answered: true as const }));
    const tools = [read, makeTool('notes', 'list_notes')];
    const { answer } = setUp(tools, {}, failing);
    expect((await answer('call_tool', { name: 'notes_read', arguments: { note_id: 'x' } })).text).toBe(
      '404[note_id comes from notes_list_notes.]',
    );
    const misfit = setUp(tools, {}, Object.assign(new TestRunner(), { checkArguments: async () => ['misfit'] }));
    expect((await misfit.answer('call_tool', { name: 'notes_read', arguments: {} })).text).toMatch(
      /note_id: string \/\* from notes_list_notes \*\/ }\)$/,
    );
  });

  it('run_code through call_tool names no other tool', async () => {
    expect(await slip({ name: 'run_code', arguments: { code: 'return 1' } })).not.toContain('Nearest');
  });
});

describe('an agent that repeats itself', () => {
  const call = { name: 'math_echo', arguments: { message: 'x' } };

  it('is advised to leave a tool that keeps failing in its turn', async () => {
    const { answer, runner, idle } = setUp(TOOLS, { retriesPerTool: 1 }, new TestRunner(() => fails('broken')));
    for (const text of ['broken', 'broken'])
      expect(await answer('call_tool', call)).toMatchObject({ outcome: 'failed', text });
    expect(await answer('call_tool', call)).toMatchObject({
      outcome: 'refused',
      text: expect.stringMatching(/math_echo failed 2 times/),
    });
    expect(await answer('call_tool', call, 'another chat')).toMatchObject({ outcome: 'failed' });
    expect(runner.ran).toHaveLength(3);
    idle();
    expect(await answer('call_tool', call)).toMatchObject({ outcome: 'failed', text: 'broken' });
  });

  it('isn’t refused for longer because it tries again', async () => {
    const timer = vi.fn((_run: () => void, _ms: number) => () => {});
    let now = 0;
    const clock = { now: () => now, timer, yieldToEventLoop: async () => {} };
    const user = choices(() => ({ ...SETTINGS, retriesPerTool: 0 }));
    const { agent } = makeAgentTools(TOOLS, { services: { user, clock } });
    const runner = new TestRunner(() => fails('broken'));
    const outcomes = [];
    for (now of [0, 10_000, 20_000]) {
      const asked = { tool: 'call_tool', input: call, chat: 'chat' } as const;
      outcomes.push((await agent.answer(asked, { runner, asking: () => 'never' }, never)).outcome);
    }
    expect([outcomes, timer.mock.calls.map(([, ms]) => ms)]).toEqual([
      ['failed', 'refused', 'refused'],
      [30_000, 20_000, 10_000],
    ]);
  });

  it('is stopped at the limit of calls, and can search on', async () => {
    const { answer, runner } = setUp(TOOLS, { toolCallsPerTurn: 2 });
    const runs = await Promise.all([1, 2, 3].map(() => answer('call_tool', call)));
    expect(runs.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'refused']);
    expect(runs[2]?.text).toMatch(/limit of 2 tool calls/);
    expect(runner.ran).toHaveLength(2);
    expect(await answer('search_tools', { queries: ['echo'] })).toMatchObject({ outcome: 'ok' });
  });
});
