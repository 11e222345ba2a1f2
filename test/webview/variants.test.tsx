// Each part of a page with none, one and several of what it shows, before an answer, after a failure and in each state:
// what differs from the usual page. `npm run webview -- test/webview/variants.test.tsx -u` writes the files again.
import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ToWebview } from '../../src/inspector/protocol/messages';
import type { ViewState } from '../../src/inspector/protocol/view';
import { changes } from '../data/rows';
import { fixtureDetail, fixtureState } from './fixture';
import { openInspector } from './open';
import { outline } from './outline';
import { column, EXPLAINED, TOOL_ANSWER } from './playAnswers';
import { fixtureSuggestions } from './suggestionsFixture';

type Fields = { readonly [name: string]: unknown };
/** What is different in the state, by field and by index, and then messages of the host, all that is clicked, and waits. */
type Variant = readonly [change: Fields, ...then: (Fields | string | number)[]];
type Part = readonly [place: Fields, usual: Fields, variants: { readonly [name: string]: Variant }];

const estimated = (value: number) => ({ value, certainty: 'estimated' });
const measured = (value: number) => ({ value, certainty: 'measured' });
const each = (all: Fields, make: (change: never) => Variant) =>
  Object.fromEntries(Object.entries(all).map(([name, change]) => [name, make(change as never)]));
const OUTCOMES = Object.fromEntries(
  ['ok', 'failed', 'invalid', 'refused', 'cancelled'].map((it) => [`it is ${it}`, it]),
);
const failed = { type: 'failed', request: 1, message: 'No.' };

function press(control: HTMLElement): void {
  act(() => control.focus());
  fireEvent.click(control);
}

/** Returns a value with changes: of a list by index, of an object by field. */
function changed(value: unknown, change: unknown): unknown {
  const isPlain = typeof change === 'object' && change !== null && !Array.isArray(change);
  if (!isPlain || typeof value !== 'object' || value === null) return change;
  const before: Fields = { ...value };
  const all = {
    ...before,
    ...Object.fromEntries(Object.entries(change).map(([key, it]) => [key, changed(before[key], it)])),
  };
  return Array.isArray(value) ? Object.values(all) : all;
}

function ofResult(): Part {
  const turn = (first: Fields, header = {}): Variant => [{ turns: { 0: first }, header }];
  const calls = (total: number, bad: number) => ({ calls: { total, failed: bad } });
  const ended = (status: string, message?: string) => ({ end: { status, message }, compared: false, ...calls(3, 1) });
  const [usd, dollars] = [(sent: number, baseline: number) => ({ usd: { sent, baseline } }), { unit: 'usd' }];
  const more = { sent: measured(1_000), baseline: estimated(500), loss: { tokens: { text: 'So.' } } };
  const running = turn({ running: true, end: undefined, compared: false });
  const late = (end: Fields): Variant => [...running, { type: 'state', state: changed(fixtureState(), turn(end)[0]) }];
  const needed = (value: number) => ({ overhead: { tokens: estimated(value), usd: value / 1_000 } });
  const variants = {
    ...each({ answered: {}, 'answered with a failed call': calls(1, 1), 'stopped at last': ended('cancelled') }, late),
    'failed at last': late(ended('failed', 'No.')),
    running,
    failed: turn(ended('failed', 'No.')),
    'failed, without words': turn({ ...ended('failed'), ...calls(1, 0), requests: 1 }),
    stopped: turn({ ...ended('cancelled'), ...calls(1, 1), sent: measured(0) }),
    'one call, failed': turn(calls(1, 1)),
    'no call': turn(calls(0, 0)),
    'no question': turn({ prompt: '' }),
    'no model': turn({ compared: false, withModel: { sent: estimated(1), baseline: measured(2) } }),
    'not compared': turn({ ...more, compared: false }),
    'of an agent': turn({ ofAgent: true, tools: 1 }),
    'about the same': turn({ sent: measured(1_000), baseline: measured(1_004) }),
    'nothing sent': turn({ sent: measured(0), baseline: measured(0) }),
    'cheaper in dollars': turn(usd(0.001, 0.1), dollars),
    'more in dollars': turn(
      { ...usd(1, 0.5), ...needed(800), loss: { usd: { text: 'So.', pinServer: 'a' } } },
      dollars,
    ),
    'more, of no known price': turn(more, dollars),
    'more tokens': turn({ ...more, ...needed(600), tools: 1 }),
    'more, of which less was needed': turn({ ...more, ...needed(100) }),
    'cache not read': turn({ cacheReadShare: 0 }),
    'cache read again': turn({ cacheReadShare: 1, readAgain: estimated(9) }),
    'cache unknown': turn({ cacheReadShare: undefined, readAgain: estimated(9) }),
    'another model': turn({ model: 'Other' }),
    'a model with a rule': [...turn({}, { model: { rule: 'a/*' } }), '.reasons button'],
    'no last model': turn({}, { model: undefined, mode: 'off' }),
    'no session': turn({}, { session: undefined }),
    'all turns compared': turn({}, { session: { compared: 3 } }),
    'one turn left': turn({}, { session: { compared: 2 } }),
    'no turn and no server, but tools': [{ turns: [], noServers: true }],
    'one turn': [{ turns: fixtureState().turns.slice(0, 1), totals: { turns: 1 } }],
  } as const;
  return [{}, {}, variants];
}

function ofStory(): Part {
  const search = { kind: 'search', query: 'a job', strategy: 'bm25', searched: 9, matched: 1, limit: 1, hits: [] };
  const hit = { rank: 1, server: 'a', name: 'get_job', id: 'a/get_job', score: 2, returned: true, terms: ['job'] };
  const below = (id: string) => ({ ...hit, id, returned: false });
  const flags = (...kinds: string[]) => ({ flags: kinds.map((kind) => ({ kind, text: `It is ${kind}.` })) });
  const call = { kind: 'call', name: 'job', tool: 'a/get_job', args: '{"a":1}', summary: 'done', outcome: 'ok' };
  const found = (...ids: string[]) => ({ kind: 'discovered', tools: ids.map((id) => ({ id: `a/${id}`, name: id })) });
  const none = { calls: 0, failed: 0, servers: [], searches: 0, provider: false, byTool: [] };
  const script = { kind: 'script', title: 'Sum', code: 'a\n\nb', ...none };
  const byTool = { name: 'x', tool: 'a/x', server: 'a', times: 1, failed: 0, ms: 1, summary: 'one' };
  const round = { kind: 'round', round: 1 };
  const events = (...own: Fields[]): Variant => [
    { turns: { 0: { events: own.map((it, seq) => ({ seq, at: 0, flags: [], ...it })) } } },
  ];
  const scripts = {
    'a script that runs': script,
    'a script with a call': { ...script, outcome: 'ok', calls: 1, searches: 1, servers: ['a'], byTool: [byTool] },
    'a script that failed': {
      ...{ ...script, outcome: 'failed', calls: 2, failed: 1, line: 2, note: 'No.', ...flags('failed') },
    },
    'a script of the provider': { ...script, outcome: 'cancelled', provider: true, searches: 2, servers: ['a', 'b'] },
    'a script with calls': {
      ...{ ...script, outcome: 'ok', output: 'out', keptFromModel: estimated(5) },
      byTool: [
        { ...byTool, server: undefined, times: 3, failed: 2 },
        { ...byTool, tool: 'a/y' },
      ],
    },
  };
  const part = { role: 'user', text: 'Hi', chars: 2 };
  const sent = { name: 'x', tokens: estimated(7), ours: false, deferred: false };
  const answer = { turn: 3, round: 1, sent: [part], tools: [sent], toolCount: 1, reply: [part] };
  const opened = (change: Fields): Variant => [
    ...events(round),
    '.request button',
    { type: 'exchange', request: 1, exchange: { ...answer, ...change } },
  ];
  const variants = {
    ...each(scripts, (change) => [...events(change), '.script-toggle', '.script-parts button']),
    'a script, not opened': events(scripts['a script with a call']),
    ...each(OUTCOMES, (outcome) => events({ ...call, outcome, ...(outcome === 'ok' ? {} : flags(outcome)) })),
    'a request that waits': events(round),
    'a request': events({ ...round, ms: 5, sent: estimated(1), usd: 0.5 }),
    'no hit': events({ ...search, ...flags('noHits'), note: 'None.' }),
    'a hit': events({ ...search, server: 'a', ms: 2, hits: [{ ...hit, score: 0 }] }),
    'a hit that was called': events({ ...search, hits: [hit, below('a/b'), below('a/c')] }, call),
    'a weak hit': events({ ...search, hits: [{ ...below('a/b'), weak: { score: 0.4, covered: 0.5 } }] }),
    'none found': events({ ...found(), unused: 0 }),
    'one found': events({ ...found('x'), unused: 1, tokens: estimated(7) }),
    'two found': events({ ...found('x', 'y'), unused: 2 }),
    'a call': events({ ...call, server: 'a', ms: 3, ...flags('retried', 'withoutDiscovery') }),
    'a cache miss': events({ kind: 'cacheMiss', why: 'Changed', same: estimated(1), readAgain: measured(2) }),
    'a warning': events({ kind: 'warning', message: 'Odd.' }),
    'an answer': events({ kind: 'end', status: 'answered' }),
    'an answer with tokens': events({ kind: 'end', status: 'answered', outputTokens: estimated(3) }),
    'a failure': events({ kind: 'end', status: 'failed', message: 'No.', outputTokens: estimated(3) }),
    'a stop': events({ kind: 'end', status: 'cancelled' }),
    'a request, opened': [...events(round), '.request button'],
    'a request, answered': [...opened({}), '.exchange button'],
    'a request, copied long ago': [...opened({}), '.sentparts button', 2_000],
    'a request of none': opened({ sent: [], tools: [], toolCount: 0, reply: [] }),
    'a request without a reply': opened({ reply: undefined, tools: [{ ...sent, ours: true }], toolCount: 3 }),
    'a request that is cut': opened({ sent: [{ ...part, chars: 9, name: 'n' }], tools: [{ ...sent, deferred: true }] }),
    'a request of another turn': opened({ turn: 2 }),
    'a request of another round': opened({ round: 2 }),
  } as const;
  return [{}, { turns: { 0: { events: [] } } }, variants];
}

function ofTools(): Part {
  const id = 'diary/read_decision';
  const { tools, servers } = fixtureState();
  const own = tools.filter(({ server }) => server === 'diary');
  const server = servers.find(({ name }) => name === 'diary');
  const tool = (change: Fields): Variant => [{ tools: { 0: change } }];
  const several = (change: Fields): Variant => [
    { servers: ['a', 'b'].map((name) => ({ ...server, ...change, name })) },
  ];
  const none = { args: [], annotations: [], examples: [], marks: [], description: '' };
  const details = (change: Fields = {}) => ({ type: 'tool', request: 1, detail: { ...fixtureDetail(id), ...change } });
  const argument = { name: 'a', type: 'string', required: true, description: 'It.' };
  const one = { args: [argument], annotations: ['reads'], examples: [{ args: '{}' }], marks: ['Odd.'] };
  const two = { annotations: ['reads', 'opens'], examples: [{ args: '1', description: 'One' }, { args: '2' }] };
  const types = ['number', 'boolean', 'string[]'].map((type) => ({ ...argument, name: type, type, required: false }));
  const run = (...then: Fields[]): Variant => [{}, details(none), '.tryform button', ...then];
  const tried = (outcome: string, of = id) => ({ type: 'tried', request: 2, id: of, run: { outcome, output: 'out' } });
  const first = {
    'a server with a problem': { problems: ['Odd.'] },
    'a server with problems': { problems: ['Odd.', 'Old.'], source: 'mcp.json', cached: true },
    'a server that stopped': { state: 'stopped', tools: 0, source: 'mcp.json', problems: ['Odd.'] },
    'a server that starts': { state: 'starting', startingMs: 1_500, detail: 'waiting', tools: 0 },
    'a server that starts, known': { state: 'starting', cached: true, tools: 2 },
    'a server that failed': { state: 'failed', detail: 'No.\nline', problems: ['Odd.'], pin: 'off' },
    'a server not trusted': { state: 'untrusted', problems: ['Odd.'], pin: 'eager' },
    'VS Code': { editor: true, pin: 'deferred' },
  };
  const variants = {
    ...each(first, (change) => [{ servers: { 0: change } }]),
    ...each(OUTCOMES, (outcome) => run(tried(outcome))),
    'a server that starts, later': [{ servers: { 0: first['a server that starts'] } }, 500],
    'a million tokens': [{ servers: { 0: { tokens: measured(1_000_000) } } }],
    'no server': [{ servers: [] }],
    'two servers that stopped': several({ state: 'stopped', problems: ['Odd.'] }),
    'two servers that failed': several({ state: 'failed', tools: 0 }),
    'a tool with a title': tool({ title: 'Read', tokens: measured(0) }),
    'a tool that changed': [{ tools: { 0: { changed: true } } }, details(), '.dr .acts :not(:last-child)'],
    'each setting': [{}, '[type=radio]'],
    'a tool found': tool({ loading: 'discovered', discoveredAt: { turn: 1, round: 2, query: 'q', rank: 3 }, calls: 1 }),
    'a tool called often': tool({ calls: 1_234, callMs: 10_000, loading: 'eager', pin: 'eager', reason: 'mine' }),
    'an omitted tool': tool({ loading: 'omitted', pin: 'off', reasonLong: '' }),
    'no tool': [{ tools: [], totals: { tools: 0 } }],
    'one tool': [{ tools: own.slice(0, 1), totals: { tools: 1 } }],
    'no MCP server': [{ noServers: true }],
    'no details': [{}, details(none)],
    'one of each detail': [{}, details(one)],
    'two of each detail': [
      {},
      details({ ...one, ...two, args: [argument, ...types, { ...types[0], name: 'enum', values: ['x', 'y'] }] }),
    ],
    'details refused': [{}, failed],
    'two failures': [{}, failed, { type: 'failed', message: 'Two.' }],
    'a run that waits': run(),
    'a run that waits, pressed again': [...run(), '.tryform button'],
    'a run refused': run({ ...failed, request: 2 }),
    'a run of another tool': run(tried('ok', 'a/b')),
  } as const;
  return [{ section: 'tools', openTools: [id] }, { tools: own, servers: [server] }, variants];
}

function ofSides(): Part {
  const { items, done } = fixtureSuggestions();
  const none = { items: [], done: [], dismissed: 0, more: 0 };
  const all = {
    one: { items: items.slice(0, 1) },
    two: { items: items.slice(0, 2) },
    'one done, one left': { items: items.slice(0, 1), done },
    'two done, two left': { items: items.slice(0, 2), done: [...done, { id: '2', text: 'Did 2.' }] },
    'none left, one dismissed': { dismissed: 1 },
    'three left, two dismissed': { items: items.slice(0, 3), dismissed: 2, more: 1 },
  };
  const notice = (kind: string, ...commands: string[]) => ({
    ...{ kind, bold: `${kind}:`, text: 'It is.', actions: commands.map((command) => ({ label: command, command })) },
  });
  const dollars = { unit: 'usd', session: { sent: measured(1_000), usd: { sent: 0.002, baseline: 0.01 } } };
  const variants = {
    ...each(all, (change) => [{ suggestions: change }]),
    'two done, opened': [{ suggestions: all['two done, two left'] }, '.sugs > button'],
    'one dismissed, opened': [{ suggestions: all['none left, one dismissed'] }, '.sugs > button'],
    'two dismissed, opened': [{ suggestions: all['three left, two dismissed'] }, '.sugs > button'],
    'in dollars': [{ suggestions: all['three left, two dismissed'], header: dollars }, '.sugs > button'],
    'nothing to suggest to': [{ suggestions: undefined }],
    'a notice': [{ notices: [notice('info')] }],
    'two notices': [
      { notices: [notice('warning', 'showLog'), notice('error', 'addServer', 'openSettings')] },
      '.do button',
    ],
  } as const;
  return [{}, { suggestions: none, notices: [] }, variants];
}

function ofQuery(): Part {
  const answer = (columns: Fields[]) => ({ type: 'played', request: 1, answer: { mode: 'query', limit: 1, columns } });
  const played = (...columns: Fields[]): Variant => [{}, answer(columns)];
  const of = (strategy: string, names: string[] = [], change = {}) => ({ ...column(strategy, names, change) });
  const two = of('bm25', ['get_issue', 'list_issue'], { returned: 1, words: [{ word: 'issue', tools: 2 }] });
  const [named, weak] = [{ named: true }, { weak: { score: 0.499, covered: 0.5 } }];
  const omitted = fixtureState().tools.map((tool) => ({ ...tool, loading: 'omitted' }));
  const variants = {
    'no column': played(),
    'no hit': played(of('bm25')),
    'one near': played(of('bm25', [], { nearest: ['x'] })),
    'two near': played(of('bm25', [], { nearest: ['x', 'y'] })),
    'an error': played(of('bm25', [], { error: 'No.' })),
    running: played(of('bm25', [], { running: true }), of('exact', [], { running: true })),
    'one hit': played(of('bm25', ['get_issue']), of('exact')),
    'one hit explained': played({ ...two, hits: EXPLAINED.hits.slice(0, 1), words: EXPLAINED.words }),
    'two hits, explained': played(two, of('exact', ['list_issue', 'new_issue', 'get_issue'])),
    'one named, one weak': played(changed(two, { hits: { 0: named, 1: weak } }) as Fields, of('exact', ['get_issue'])),
    'a question that failed': [{}, failed],
    'fewer hits than before': [
      {},
      answer([two]),
      '.hit',
      answer([changed(two, { hits: two.hits.slice(0, 1) }) as Fields]),
    ],
    'a late answer': [{}, { ...answer([two]), request: 9 }],
    'no tool': [{ tools: omitted }],
    'no tool and no server': [{ tools: [], noServers: true }],
  } as const;
  return [{ section: 'playground', play: { mode: 'query', query: 'issue', scope: 'all' } }, {}, variants];
}

function ofQueries(): Part {
  const [found, deep] = 'rows' in TOOL_ANSWER ? TOOL_ANSWER.rows : [];
  const all = {
    'no row': { rows: [] },
    'no row yet': { rows: [], running: true },
    'a row, more to come': { rows: [found], running: true },
    'all found': { rows: [found] },
    'none found': { rows: [deep] },
    'some found': { rows: [found, deep] },
    'two above, typed': {
      rows: [{ ...deep, source: 'typed', above: ['b', 'c'].map((id) => ({ id, server: 'a', name: id })) }],
    },
    'not found, none above': { rows: [{ ...deep, cells: [{}, {}], above: [] }] },
    'second, none above': { rows: [{ ...deep, cells: [{ rank: 2 }, { rank: 1 }], above: [] }] },
    'no strategy': { strategies: [], rows: [found] },
  };
  const variants = each(all, (change) => [
    {},
    { type: 'played', request: 1, answer: { ...TOOL_ANSWER, ...(change as Fields) } },
  ]);
  const play = { mode: 'tool', query: '', scope: 'all', tool: 'forge/get_issue' };
  return [{ section: 'playground', play }, {}, { ...variants, 'a question that failed': [{}, failed] }];
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const PARTS = { ofResult, ofStory, ofTools, ofSides, ofQuery, ofQueries };
it.each(Object.entries(PARTS))('each state “%s” looks as its file says', async (name, make) => {
  const [place, usual, variants] = make();
  const show = ([change, ...then]: Variant) => {
    const state = changed(changed(fixtureState(), usual), change) as ViewState;
    const { container, receive, unmount, posted } = openInspector(state, place);
    for (const step of then)
      if (typeof step === 'number') act(() => vi.advanceTimersByTime(step));
      else if (typeof step === 'string') for (const each of container.querySelectorAll<HTMLElement>(step)) press(each);
      else receive(step as unknown as ToWebview);
    const lines = [...outline(container), ...posted.map((message) => `sends ${JSON.stringify(message)}`)];
    unmount();
    return lines;
  };
  const before = show([{}]);
  const told = Object.entries(variants).flatMap(([title, variant]) => [
    title,
    ...changes(before, show(variant)).map((line) => ` ${line}`),
  ]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(`variants/${name}.txt`);
});
