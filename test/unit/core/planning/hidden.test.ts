import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../../../src/core/catalog/tool';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { SearchRecord, ToolResult } from '../../../../src/core/conversation/transcript';
import { beganWithHidden, hiddenBy, withoutHidden } from '../../../../src/core/planning/hidden';
import type { DeliveryName, ModelInfo } from '../../../../src/core/ports';
import { NO_PINS, type Pins } from '../../../../src/core/settings/pins';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { result, results, said, searchOf, user } from '../../../data/items';
import { useSandbox } from '../../sandbox/builtSandbox';
import { makeAgentTools } from '../agents/world';
import { askRelay, askTurn } from '../turn/drivers';
import {
  call,
  chosen,
  filler,
  makeCatalog,
  makeTool,
  makeWorld,
  playTurn,
  SETTINGS,
  scriptsIn,
  TestModel,
  TestRunner,
  text,
} from '../turn/world';

const made = useSandbox();
const DROP = makeTool('db', 'drop_table', 'Drops a table of the database');
const READ = makeTool('db', 'read_rows', 'Reads rows of a table');
const TOOLS = [DROP, READ, ...filler('other', 40)];
const NATIVE = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000 } };
/** Begins a conversation that has the tool: found, or in its first request. */
async function begin({ info, settings }: { readonly info: Partial<ModelInfo>; readonly settings: Partial<Settings> }) {
  const search = call('search_tools', { queries: ['drop table'] }, 'a');
  const port = new TestModel([[search], [text('ok')]], { info });
  const begun = await playTurn(makeWorld(TOOLS), port, { settings });
  expect(JSON.stringify([begun.items, port.requests])).toContain(DROP.id);
  return begun;
}

/** The two ways to hide the tool. Both must hold everywhere. */
const WAYS: readonly (readonly [string, Partial<Settings>, Pins, RegExp])[] = [
  ['a glob', { mode: 'on', hiddenTools: { '*': ['drop_*'] } }, NO_PINS, /the user hid it \(toolsearch\.hiddenTools\)/],
  [
    'a chosen set',
    { mode: 'on', sets: { Small: ['db/read_*', 'other/*'] } },
    { ...NO_PINS, set: 'Small' },
    /the user hid it \(not in the chosen set “Small”/,
  ],
  [
    'a chosen set that is gone',
    { mode: 'on', sets: { Small: ['*'] } },
    { ...NO_PINS, set: 'constructor' },
    /the user hid it .*“constructor”, isn't in toolsearch\.sets/,
  ],
  ['a pin', { mode: 'on' }, { ...NO_PINS, tools: { 'db/drop_table': 'off' } }, /the user hid it \(pinned off/],
];
const never = new AbortController().signal;
const DELIVERIES: readonly DeliveryName[] = ['server', 'client', 'local', 'bridge'];
const CALLS = [
  call('search_tools', { queries: ['drop table', 'select:db_drop_table'] }, 'a'),
  call('db_drop_table', {}, 'b'),
  call('call_tool', { name: 'db/drop_table', arguments: {} }, 'c'),
];

describe.each(WAYS)('a tool that %s hides', (_way, HIDDEN, pins, words) => {
  it.each(DELIVERIES)('is not sent to models, can’t be found or called with delivery %s', async (delivery) => {
    const port = new TestModel([CALLS, [text('ok')]], { info: NATIVE });
    const runner = new TestRunner();
    const world = makeWorld(TOOLS);
    const settings = { ...HIDDEN, delivery, codeMode: 'off' as const };
    await playTurn({ ...world, user: chosen(SETTINGS, pins) }, port, { settings, pins, runner });
    expect(runner.ran).toEqual([]);
    expect(JSON.stringify(port.requests.map(({ tools, deferred }) => [tools, deferred]))).not.toContain('drop_table');
    const answers = port.requests[1]?.transcript.at(-1);
    const texts = answers?.kind === 'results' ? answers.results.map(resultText) : [];
    expect(texts[0]).not.toContain(DROP.description);
    expect(texts[1]).toMatch(/^db_drop_table was not called: /);
    expect(texts[1]).toMatch(words);
  });

  it('is not called from a script', async () => {
    const script = 'return [await search("drop table"), await tools.db_drop_table({}).catch((error) => error.message)]';
    const port = new TestModel([[call('run_code', { code: script })], [text('ok')]]);
    const runner = new TestRunner();
    const world = { ...makeWorld(TOOLS), user: chosen(SETTINGS, pins) };
    const code = scriptsIn(made.sandbox);
    const settings = { ...HIDDEN, codeMode: 'on' as const };
    const outcome = await playTurn(world, port, { settings, pins, runner, code });
    expect(runner.ran).toEqual([]);
    expect(JSON.stringify(outcome.items)).toContain('the user hid it');
    expect(JSON.stringify(outcome.items)).not.toContain(DROP.description);
  });

  it('stays hidden though it was pinned, named with #, or found before', async () => {
    const port = new TestModel([[text('ok')]]);
    const settings = { ...HIDDEN, delivery: 'local' as const };
    await playTurn(makeWorld(TOOLS), port, {
      settings,
      references: new Set([DROP.id]),
      pins: { ...pins, servers: { db: 'eager' } },
      history: [
        user('drop'),
        said('', [{ callId: 'x', name: 'search_tools', input: {} }]),
        results(result('x', 'db_drop_table', { search: searchOf(DROP.id) })),
        said('ok'),
      ],
    });
    expect(port.requests[0]?.tools.map(({ name }) => name)).not.toContain('db_drop_table');
  });

  it('is not found or called by other agents', async () => {
    const services = {
      user: chosen({ ...SETTINGS, ...HIDDEN }, pins),
    };
    const { agent } = makeAgentTools(TOOLS, { services });
    const runner = new TestRunner();
    const answer = async (tool: 'search_tools' | 'call_tool', input: unknown) =>
      resultText(await agent.answer({ tool, input, chat: 'c' }, { runner, asking: () => 'never' }, never));
    expect(await answer('search_tools', { queries: ['drop table'] })).not.toContain('db_drop_table(');
    expect(await answer('call_tool', { name: 'db_drop_table', arguments: {} })).toContain('the user hid it');
    expect(agent.named({ name: 'db_drop_table', arguments: {} })).toBeUndefined();
    expect(runner.ran).toEqual([]);
  });

  it.each([
    ['@toolsearch', askTurn],
    ['another agent', askRelay],
  ])('is not in a request of %s, whatever the mode', async (_, drive) => {
    for (const mode of ['on', 'off'] as const) {
      const port = new TestModel([[text('ok')]]);
      await drive({ port, tools: TOOLS, settings: { ...HIDDEN, mode }, pins });
      expect(JSON.stringify(port.requests)).not.toContain('drop_table');
    }
  });

  it.each([...DELIVERIES.map((delivery) => ({ mode: 'on' as const, delivery })), { mode: 'off' as const }])(
    'leaves a running conversation with %j',
    async (way) => {
      const info = { ...NATIVE, addsTools: true };
      const settings = { ...way, codeMode: 'off' as const };
      const begun = await begin({ info, settings });
      const port = new TestModel([[call('db_drop_table', {}, 'b')], [text('ok')]], { info });
      const runner = new TestRunner();
      const rest = { settings: { ...HIDDEN, ...settings }, pins, runner, history: begun.items };
      await playTurn({ ...makeWorld(TOOLS), user: chosen(SETTINGS, pins) }, port, rest);
      const sent = port.requests.map(({ tools, deferred, transcript }) => [
        tools,
        deferred,
        transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : [])),
        transcript.flatMap((item) => (item.kind === 'results' ? item.results.map(({ search }) => search) : [])),
      ]);
      expect(JSON.stringify(sent)).not.toContain('drop_table');
      expect(runner.ran).toEqual([]);
    },
  );
});

it('hides nothing by default', () => expect(DEFAULT_SETTINGS.hiddenTools).toEqual({}));

it('hides a server but not the tool that is pinned otherwise', () => {
  const hides = hiddenBy({ settings: SETTINGS, pins: { tools: { [READ.id]: 'deferred' }, servers: { db: 'off' } } });
  expect([DROP, READ].map(hides)).toEqual(['pin', undefined]);
});

it('hides tools of a server named “vscode”, but not VS Code’s own', () => {
  const settings = { ...SETTINGS, sets: { Small: ['db/*'] } };
  const hides = hiddenBy({ settings, pins: { ...NO_PINS, set: 'Small' } });
  const own = { ...makeTool('vscode', 'fetch', 'Fetches'), origin: 'vscode' as const };
  expect([makeTool('vscode', 'pay', 'Pays'), own].map(hides)).toEqual(['set', undefined]);
});

describe('a conversation with a tool that is hidden now', () => {
  const catalog = makeCatalog([DROP, READ]);
  const choicesNow = { settings: SETTINGS, pins: { ...NO_PINS, tools: { [DROP.id]: 'off' as const } }, catalog };
  const both = [DROP, READ].map((tool) => definitionOf(tool).definition);
  const having = (joined: typeof both, search: SearchRecord, loaded: Partial<ToolResult>) => [
    user('', { note: true, joined }),
    said('', [], { searches: [search] }),
    results(result('a', { search }), result('b', loaded), result('c', { loaded: READ.id })),
  ];
  const transcript = having(both, { ...searchOf(DROP.id, READ.id), definitions: both }, { loaded: DROP.id });

  it('loses that tool alone', () => {
    const left = both.slice(1);
    expect(withoutHidden(transcript, { ...choicesNow, model: {} })).toEqual(
      having(left, { ...searchOf(READ.id), definitions: left }, {}),
    );
  });

  it('stays as it is for a model that takes tools out itself', () => {
    expect(withoutHidden(transcript, { ...choicesNow, model: { removesTools: true } })).toBe(transcript);
  });

  it('began with it if a server’s description names it', () => {
    const began = (name: string) =>
      beganWithHidden({ inputHashes: {} as never, announced: {}, names: { db: [name] } }, choicesNow);
    expect([DROP, READ].map(({ name }) => began(name))).toEqual([true, false]);
  });

  it.each(['tools', 'found'])('began with it if it is among the beginning’s %s', (place) => {
    const began = (tool: ToolDefinition) =>
      beganWithHidden(
        { inputHashes: {} as never, announced: {}, base: { id: 'a', system: '', tools: [], [place]: [tool] } },
        choicesNow,
      );
    expect(both.map(began)).toEqual([true, false]);
  });
});
