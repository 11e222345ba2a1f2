// Whole outcomes without a page: what each filter, order and search leaves of small lists, how texts are coloured, and
// what the store holds and asks. `npm run webview -- test/webview/outcomes.test.tsx -u` writes the files again.
import { expect, it } from 'vitest';
import type { ToWebview } from '../../src/inspector/protocol/messages';
import type { ToolView, TurnView, ViewState } from '../../src/inspector/protocol/view';
import { createText } from '../../src/inspector/text/text';
import { type Nav, restoreNav } from '../../webview/nav';
import { createStore, type Snapshot, type Store } from '../../webview/store';
import { piecesOf } from '../../webview/timeline/highlight';
import { markTerms } from '../../webview/timeline/markTerms';
import { filterTools } from '../../webview/tools/filter';
import { rowsOf } from '../../webview/tools/rows';
import { findTurns } from '../../webview/turns/findTurns';
import { spoken } from '../../webview/verdict';
import { fixtureState } from './fixture';

const state = fixtureState();
const text = createText(state.strings, 'en');
type Outcome = readonly [what: string, outcome: string];

/** Calls, tokens, loading, reason and title of each tool. */
const TOOLS = Object.entries({
  'forge/list_issues': [0, 40, 'eager', 'r1'],
  'forge/createIssue': [1, 20, 'deferred', 'r2', 'New Ticket'],
  'forge/edit_pipeline': [2, 30, 'deferred', 'r2'],
  'wiki/getPage2': [3, 10, 'discovered', 'r3'],
  'wiki/edit': [0, 50, 'omitted', 'r4'],
  'atlas/list_issues': [2, 20, 'deferred', 'r2'],
}).map(([id, [calls, value, loading, reason, title]]) => {
  const [server, name] = id.split('/');
  return { id, server, name, title, calls, loading, reason, tokens: { value } } as ToolView;
});
const SERVERS = ['wiki', 'Empty', 'forge', 'atlas'].map((name, index) => ({
  ...(state.servers[0] as (typeof state.servers)[number]),
  ...{ name, tokens: { value: [60, 0, 90, 60][index] as number, certainty: 'measured' as const } },
}));
const NAV = restoreNav({});

function filters(): readonly Outcome[] {
  const calls = '2 =2 >2 >=2 <2 <=2 >9 x 2x'.split(' ').map((it) => `calls:${it}`);
  const loadings = ['eager', 'discovered', 'deferred', 'omitted', 'other', 'eage', 'eager2'].map((it) => `is:${it}`);
  const servers = ['TICKET @forge', '@forge', '@WI', '@forge @wiki'];
  const words = ['', ' ', 'list', 'LIST  Issues', 'sues', 'ticket', ...servers, 'xcalls:2'];
  const typos = ['edti', 'lits', 'isuses', 'issu', 'ticcet', 'tixxet', 'wikki', 'piplein', 'pixxxine', 'lst', 'page2x'];
  const several = ['@forge isuses', 'isuses is:eager', 'lizt isuses', 'list nothing', 'calls:>0 is:deferred edit'];
  return [...words, ...loadings, ...calls, ...typos, ...several].map((filter) => [
    filter,
    filterTools(TOOLS, filter)
      .map(({ id }) => id)
      .join(' '),
  ]);
}

function orders(): readonly Outcome[] {
  const sorts = ['name', 'tokens', 'loading', 'calls', 'reason', 'gone'].flatMap((key) =>
    [false, true].flatMap((descending) => [false, true].map((grouped) => ({ sort: { key, descending }, grouped }))),
  );
  const others = [
    { filter: 'edit' },
    { filter: ' ' },
    { filter: 'nothing' },
    { filter: '@forge', closedServers: ['forge', 'wiki'] },
    { closedServers: ['wiki', 'Empty'], openTools: ['wiki/edit', 'forge/createIssue', 'gone/x'] },
    { grouped: false, openTools: ['wiki/edit', 'forge/createIssue'] },
  ];
  const outcome = (tools: readonly ToolView[], change: Partial<Nav>) => {
    const { rows, groups, shown } = rowsOf(tools, SERVERS, { ...NAV, ...change });
    const told = rows.map((row) => {
      const sums = row.kind === 'all' ? [row.calls, row.reason] : row.kind === 'server' ? [row.shown] : [];
      return [row.key, row.level, 'open' in row ? row.open : '', ...sums.map((it) => JSON.stringify(it))].join(' ');
    });
    return [`${shown} shown, ${JSON.stringify(groups)}`, ...told].join('\n  ');
  };
  const few = [0, 1, 2].map((count): Outcome => [`${count} tools`, outcome(TOOLS.slice(0, count), {})]);
  return [...few, ...[...sorts, ...others].map((it): Outcome => [JSON.stringify(it), outcome(TOOLS, it)])];
}

function turns(): readonly Outcome[] {
  const [first] = state.turns;
  const turn = (number: number, prompt: string, change: object) => ({
    ...{ ...first, turn: number, prompt, compared: true, readAgain: undefined, searches: 1, sent: { value: 1 } },
    ...{ baseline: { value: 1 }, usd: { sent: 1, baseline: 1 }, calls: { total: 1, failed: 0, tools: [] }, ...change },
  });
  const calls = { total: 1, failed: 1, tools: ['forge/list_issue', 'wiki/edit'] };
  const all = [
    turn(1, 'Say HELLO twice', { calls, readAgain: { value: 1 } }),
    turn(2, 'See http://x.y', { end: { status: 'failed', message: 'No.' }, searches: 2, sent: { value: 2 } }),
    turn(3, 'server list', {
      end: { status: 'cancelled', message: 'No.' },
      searches: 0,
      usd: { sent: 2, baseline: 1 },
    }),
    turn(4, 'Wait', { end: undefined, running: true, model: 'Opus', compared: false, sent: { value: 2 } }),
  ] as unknown as TurnView[];
  const words = ['', ' ', 'hello  TWICE', 'twice hello', 'http://x.y', 'opus', '4', 'zzz', 'running', 'answered'];
  const status = ['failed', 'stopped', 'more', 'answered', 'running', 'x', ''].map((it) => `status:${it}`);
  const keys = ['tool:edit', 'tool:wiki', 'server:wiki', 'server:edit', 'cause:cache', 'cause:searched', 'wiki/edit'];
  const odd = ['a:b', 'tokens:1 x', 'x tokens:1', 'A:b', '1:b'];
  const several = ['server:forge tool:list', 'server:forge zzz', 'searched'];
  return (['tokens', 'usd'] as const).flatMap((unit) => [
    ...[...words, ...status, ...keys, ...odd, ...several].map((query): Outcome => {
      const found = findTurns(all, query, unit, text);
      return [`${unit} ${query}`, `${found.turns.map(({ turn }) => turn).join(' ')} ${found.unknown ?? ''}`];
    }),
    ...all.filter(({ end }) => end).map((turn): Outcome => ['spoken', spoken(turn, unit, text)]),
  ]);
}

function places(): readonly Outcome[] {
  const play = { mode: 'tool', query: 'q', tool: 'a/b', scope: 'deferred' };
  const whole = {
    section: 'tools',
    turn: 3,
    filter: 'f',
    grouped: false,
    closedServers: ['a'],
    openTools: ['a/b'],
    play,
  };
  const odd = { section: 'x', turn: '3', filter: 1, sort: 1, grouped: 0, closedServers: 'a', openTools: [1, 'b', {}] };
  const all = [null, undefined, 'junk', 1, {}, { ...whole, sort: { key: 'calls', descending: true } }, odd];
  const sorts = [{ key: 1, descending: 1 }, { key: 'x' }, null].map((sort) => ({ sort }));
  const plays = [{ mode: 'x', query: 1, tool: 1, scope: 'x' }, {}, null].map((it) => ({ section: 'turns', play: it }));
  return [...all, ...sorts, ...plays].map((saved) => [JSON.stringify(saved), JSON.stringify(restoreNav(saved))]);
}

function marks(): readonly Outcome[] {
  const all: readonly (readonly [text: string, ...terms: string[]])[] = [
    ['list_pipeline_jobs', 'pipeline', 'job'],
    ['listPullRequests', 'pull', 'REQUEST'],
    ['all the JSON files', 'json'],
    ['parseJSONText', 'json', 'text'],
    ['jobless', 'less'],
    ['retrieving is it', 'retriev', 'i'],
    ['issues of a class', 'issue', 'cla'],
    ['get get', 'get'],
    ['a_b', ''],
    ['s', 's'],
    ['', 'x'],
    ['字 word2', '字', 'word2'],
  ];
  return all.map(([text, ...terms]) => [
    `${text} (${terms.join(', ')})`,
    markTerms(text, terms)
      .map((piece) => (piece.matched ? `[${piece.text}]` : piece.text))
      .join('·'),
  ]);
}

function colours(): readonly Outcome[] {
  const words = ['const a = await f (x)', 'f(g(1), _a$9, Z0)', 'iff if(x) 9a a9 z`', '0 9 : / @ [ { _'];
  const strings = ['"x\\"y" z', "'a\nb'", '`a\nb` c', '"a\\', "'\\\\' b", 'x = "', '"" y'];
  const comments = ['a // b\nc', '// b', 'a /* b\n */ c', '/* b', '/*/ b */ c', '/**/x', 'a / b * c', '//'];
  return [...words, ...strings, ...comments].map((code) => [
    JSON.stringify(code),
    JSON.stringify(piecesOf(code).map(({ kind, text }) => `${kind}:${text}`)),
  ]);
}

/** Calls of a store, and what each sends, changes and draws. */
function store(): readonly Outcome[] {
  const [first = '', second = '', third = ''] = state.tools.map(({ id }) => id);
  const receive = (message: object): Call => ['receive', message as ToWebview];
  const change = (more: boolean, revision: number) => receive({ type: 'patch', lists: [], fields: { revision }, more });
  const detail = (id: string) => receive({ type: 'tool', detail: { id } });
  const failed = (request?: number) => receive({ type: 'failed', request, message: `No ${request}.` });
  const play = (query: string, about = '1'): Call => ['play', { mode: 'query', query, scope: 'all' }, about];
  const played = (request: number) => receive({ type: 'played', request, answer: { mode: 'query', columns: [] } });
  const goTo = (place: object) => receive({ type: 'goTo', place });
  const pin = (kind: 'tool' | 'server' | 'all', id: string): Call => ['pin', { kind, id }, 'off'];
  const openTools = (...ids: string[]): Call => ['navigate', { openTools: ids }];
  const ask = [first, second, third, first].map((id): Call => ['requestTool', id]);
  const round = { turn: 1, round: 2 };
  const scenes: readonly (readonly Call[])[] = [
    [pin('tool', first), ['undoPin'], ['undoPin'], pin('all', ''), ['undoPin']],
    [pin('server', 'library'), ['undoPin'], pin('server', 'library'), pin('server', 'gone'), ['undoPin']],
    [goTo({ section: 'turns', turn: 1 }), goTo({ section: 'turns', turn: 3 }), goTo({ section: 'tools', filter: 'f' })],
    [['openPlayground', { mode: 'tool', tool: first }], goTo({ section: 'playground', query: 'q' })],
    [
      ...ask,
      ...[first, second, third].map(detail),
      change(false, 3),
      openTools(first, 'gone'),
      change(false, 9),
      ...ask,
    ],
    [...ask, failed(2), failed(9), ...ask],
    [play('a'), play('b'), play('c'), played(9), failed(9), played(1), played(2), play('c'), play('c', '2'), played(3)],
    [play('a'), failed(1), play('a'), play('b'), play('a'), played(2), played(2)],
    [['tryTool', first, {}], ['tryTool', second, { a: 1 }], failed(1), receive({ type: 'tried', id: second, run: 1 })],
    [['openExchange', round], receive({ type: 'exchange', exchange: 1 }), ['openExchange', undefined]],
    [...[undefined, 1, 1, undefined].map((turn): Call => ['watch', turn]), ['openWhole', round]],
    [failed(), ['fail', 'Own.'], ['dismissFailures'], failed(), ['copy', 'c'], ['suggest', 'undo', '1']],
    [
      ['run', 'showLog'],
      ['run', 'startServers', 'a'],
      ['run', 'acceptChanged', 'a', 'a/b'],
      ['post', { type: 'ready' }],
    ],
    [change(true, 4), change(false, 5), change(true, 6), change(true, 7), change(false, 8)],
  ];
  return [...scenes.flatMap((calls) => told(calls, state)), ...told(scenes.at(-1) ?? [])];
}

type Call = { [Name in keyof Store]: readonly [Name, ...Parameters<Store[Name]>] }[keyof Store];

/** Makes calls to a new store. */
function told(calls: readonly Call[], first?: ViewState): readonly Outcome[] {
  const news: string[] = [];
  const postMessage = (posted: object) => news.push(`sends ${JSON.stringify(posted)}`);
  const setState = (nav: unknown) => news.push(`keeps ${JSON.stringify(nav) === shown().nav}`);
  const store = createStore({ postMessage, getState: () => undefined, setState });
  const shown = (): { [field: string]: string } => {
    const { state, receivedAt, ...rest }: Snapshot = store.getSnapshot();
    const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);
    const fields = Object.entries({ revision: state?.revision, ...rest });
    return Object.fromEntries(fields.map(([field, value]) => [field, JSON.stringify(value, plain)]));
  };
  if (first) store.receive({ type: 'state', state: first });
  const stop = store.subscribe(() => news.push('draws'));
  const outcomes = calls.map((call): Outcome => {
    const before = shown();
    (store[call[0]] as (...args: unknown[]) => void)(...call.slice(1));
    const changed = Object.entries(shown()).filter(([field, value]) => before[field] !== value);
    return [JSON.stringify(call), [...news.splice(0), ...changed.map((it) => it.join(' '))].join(' · ')];
  });
  stop();
  return [['new', ''], ...outcomes];
}

it.each(Object.entries({ filters, orders, turns, places, marks, colours, store }))(
  'the outcomes “%s” are as before',
  async (name, tell) => {
    const told = tell().map(([what, outcome]) => `${what}: ${outcome}`.trimEnd());
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(`outcomes/${name}.txt`);
  },
);

it('colours of code take linear time and lose nothing', () => {
  for (const code of ['/*'.repeat(50_000), '"'.repeat(100_000), '`${'.repeat(40_000), '\\'.repeat(100_000)])
    expect(
      piecesOf(code)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(code);
});
