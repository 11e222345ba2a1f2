import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { LedgerEntry, LedgerEvent } from '../../../../src/core/ledger/ledger';
import type { RoundTokens } from '../../../../src/core/usage/types';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import { scriptView } from '../../../../src/inspector/view/scriptViews';
import { ViewFold, viewState } from '../../../../src/inspector/view/viewState';
import { withWithheld } from '../../../../src/inspector/view/withheldTools';
import { called, estimated, measured, searched, sentTokens, started } from '../../../data/entries';
import { changes, rows } from '../../../data/rows';
import { viewInputs } from '../../../data/viewInputs';
import { makeTool } from '../../core/turn/world';
import { holds } from '../../property';

const COUNTS = { eager: 1, discovered: 0, deferred: 2 };
const START = 1_000_000;

const TOOLS = [makeTool('b', 'zip'), makeTool('a', 'read'), makeTool('a', 'list'), makeTool('a-b', 'one')];

function inputs(change: Partial<ViewInputs> = {}): ViewInputs {
  const running = ['a', 'a-b', 'b'].map((name) => ({ name, state: 'running' as const, problems: [] }));
  return viewInputs({
    catalog: createCatalog(7, TOOLS, running),
    loading: new Map(TOOLS.map((each) => [each.id, { loading: 'deferred', reason: 'auto', reasonLong: 'rule 7' }])),
    now: START + 60_000,
    ...change,
  });
}

const tokens = (
  promptAndHistory: number,
  eager: number,
  discovered: number,
  searchOverhead: number,
  all: number,
): RoundTokens => ({
  ...sentTokens({ promptAndHistory, eager, discovered, searchOverhead }, all),
  baseline: estimated(promptAndHistory + all),
});

const TURN_STARTED = started({ prompt: 'why?', counts: COUNTS });

/** Entries as a ledger keeps them, one second apart. */
function ledger(...turns: LedgerEntry[][]): LedgerEvent[] {
  let seq = 0;
  return turns.flatMap((entries, index) =>
    entries.map((entry) => ({ ...entry, seq: ++seq, at: START + seq * 1000, turn: index + 1 }) as LedgerEvent),
  );
}

function round(number: number, figures: RoundTokens, ms = 500): LedgerEntry[] {
  return [
    { type: 'roundStarted', round: number, counts: COUNTS },
    { type: 'roundEnded', round: number, ms, tokens: figures, outputTokens: measured(10) },
  ];
}

const ENDED: LedgerEntry = { type: 'turnEnded', status: 'answered', ms: 3000 };

/** A turn in which searching took more than the definitions would have. */
const costly = (ids: string[]): LedgerEntry[] => [
  TURN_STARTED,
  ...round(1, tokens(100, 10, 0, 400, 60)),
  ...[searched('read'), searched('list')],
  { type: 'discovered', round: 1, ids, tokens: estimated(20) },
  ...round(2, tokens(100, 10, 20, 900, 60)),
  ENDED,
];

describe('sums', () => {
  const amount = fc.nat({ max: 100_000 });
  const figures = fc.tuple(amount, amount, amount, amount, amount).map((parts) => tokens(...parts));

  it('of a turn are its rounds’, of the session its turns’', () => {
    holds([fc.array(fc.array(figures, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })], (session) => {
      const events = ledger(
        ...session.map((rounds) => [TURN_STARTED, ...rounds.flatMap((each, i) => round(i + 1, each)), ENDED]),
      );
      const view = viewState(inputs({ events }));
      for (const turn of view.turns) {
        const rounds = turn.events?.flatMap((event) => (event.kind === 'round' ? [event] : [])) ?? [];
        expect(turn.sent.value).toBe(rounds.reduce((sum, each) => sum + (each.sent?.value ?? 0), 0));
        expect(turn.requests).toBe(rounds.length);
        expect(turn.loss.tokens === undefined).toBe(turn.baseline.value >= turn.sent.value);
      }
      const sums = view.header.session;
      expect(sums?.sent.value ?? 0).toBe(view.turns.reduce((sum, turn) => sum + turn.sent.value, 0));
      expect(sums?.baseline.value ?? 0).toBe(view.turns.reduce((sum, turn) => sum + turn.baseline.value, 0));
    });
  });

  it('are beside warnings of 2,000 bytes at most', () => {
    const events = ledger([TURN_STARTED, { type: 'warned', message: 'x'.repeat(3_000) }]);
    const [warning] = viewState(inputs({ events })).turns[0]?.events ?? [];
    expect(warning).toMatchObject({ message: expect.stringMatching(/^x{1800,2000}…$/) });
  });

  it('count an agent’s search over no tools, which saved nothing', () => {
    const agentTokens = { ...tokens(0, 0, 0, 778, 0), baseline: estimated(0) };
    const events = ledger([TURN_STARTED, { ...ENDED, agentTokens } as LedgerEntry]);
    const { session } = viewState(inputs({ events })).header;
    expect(session).toMatchObject({ sent: { value: 778 }, baseline: { value: 0 } });
  });

  it('leave the header blank before the first round ends', () => {
    const model = { vendor: 'toolsearch-openai', id: 'gpt-5', name: 'M' };
    const view = viewState(inputs({ events: ledger([{ ...TURN_STARTED, model }]) }));
    expect(view.header.session).toBeUndefined();
    expect(view.header.model).toMatchObject({ name: 'M', prices: expect.stringMatching(/know this .* list price/) });
    expect(view.turns[0]?.running).toBe(true);
  });
});

describe('a turn that cost more than it saved', () => {
  it('names none if pinning costs more, nothing matched, or it’s pinned', () => {
    const dear = inputs({ events: ledger(costly(['a/read'])), tokensOf: () => measured(10_000) });
    expect(viewState(dear).turns[0]?.loss.tokens?.pinServer).toBeUndefined();
    expect(viewState(inputs({ events: ledger(costly([])) })).turns[0]?.loss.tokens?.pinServer).toBeUndefined();
    const fold = new ViewFold();
    const free = inputs({ events: ledger(costly(['a/read'])) });
    expect(fold.fold(free, 'all').turns[0]?.loss.tokens?.pinServer).toBe('a');
    const pinned = { ...free, pins: { tools: {}, servers: { a: 'eager' as const } } };
    expect(fold.fold(pinned, 'all').turns[0]?.loss.tokens?.pinServer).toBeUndefined();
  });
});

it('what searching added has no price in a request that cost nothing', () => {
  const parts = { promptAndHistory: 0, eager: 0, discovered: 0, searchOverhead: 0 };
  const cost = { sent: 0, baseline: 800, parts, usd: { sent: 0, baseline: 0.8 } };
  const events = ledger([TURN_STARTED, ...round(1, { ...tokens(0, 0, 0, 0, 800), cost }), ENDED]);
  expect(viewState(inputs({ events })).turns[0]?.overhead.usd).toBeUndefined();
});

it('a server that starts is shown with the time since', () => {
  const fold = new ViewFold();
  const starting = [{ name: 'slow', state: 'starting' as const, problems: [] }];
  const asked = inputs({ catalog: createCatalog(7, [], starting), startingSince: new Map([['slow', START]]) });
  const shown = [1_000, 5_000].map((ms) => fold.fold({ ...asked, now: START + ms }, undefined).servers[0]?.startingMs);
  expect(shown).toEqual([1_000, 5_000]);
});

it('tools of VS Code alone are no server', () => {
  const browser: Tool = { ...makeTool('vscode', 'openBrowser'), origin: 'vscode' };
  expect([
    viewState(inputs({ catalog: createCatalog(1, [browser], []) })).noServers,
    viewState(inputs()).noServers,
  ]).toEqual([true, false]);
});

it('the timeline puts each event where it began, and the end last', () => {
  const events = ledger([
    TURN_STARTED,
    ...round(1, tokens(1, 1, 1, 1, 9), 1000),
    called('a/read', { ms: 60_000 }),
    searched('x'),
    ...round(2, tokens(1, 1, 1, 1, 9), 1000),
    ENDED,
  ]);
  const rows = viewState(inputs({ events })).turns[0]?.events ?? [];
  expect(rows.map((row) => row.kind)).toEqual(['round', 'call', 'search', 'round', 'end']);
  expect(rows.every((row) => row.at >= 0)).toBe(true);
  expect(rows[2]).toMatchObject({ kind: 'search', at: 3999, ms: 1 });
});

it('tools that wait to be accepted appear among them, not in counts', () => {
  const shown = withWithheld();
  const given = inputs();
  const [zip, ...kept] = TOOLS as [Tool, ...Tool[]];
  const catalog = { ...createCatalog(8, kept, given.catalog.servers), withheld: new Map([[zip.invokeName, zip]]) };
  const withheld = shown(catalog, given.loading);
  const changed = { tools: [{ id: zip.id, server: zip.server, name: zip.name }], withheld: true };
  const view = viewState(inputs({ ...withheld, changed }));
  expect(view.tools.map(({ id }) => id)).toEqual(['a/list', 'a/read', 'a-b/one', 'b/zip']);
  expect(view.tools[3]).toMatchObject({ changed: true, loading: 'omitted', reason: 'changed' });
  expect(view.totals.tools).toBe(3);
  expect(shown(catalog, given.loading)).toEqual(withheld);
  expect(shown(catalog, given.loading).catalog).toBe(withheld.catalog);
});

const scriptStarted = (where?: 'provider') => ({
  type: 'scriptStarted' as const,
  round: 1,
  callId: 'code_1',
  title: '',
  code: 'print(1)',
  seq: 1,
  at: 0,
  turn: 1,
  ...(where ? { where } : {}),
});
const callIn = (round: number): LedgerEvent => ({
  ...called('math/sum', { round, callId: `call_${round}`, script: 'code_1' }),
  ...{ seq: 1 + round, at: round, turn: 1 },
});

/** Turns with each kind of event, and each end. */
function manyEvents(): LedgerEvent[] {
  const hit = (id: string, score: number) => ({ id, score, matchType: 'bm25', terms: ['read'] });
  const found = (...ids: string[]): LedgerEntry => ({ type: 'discovered', round: 1, ids, tokens: estimated(200) });
  const [first, second] = [round(1, tokens(1_000, 200, 30, 400, 900)), round(2, tokens(1_100, 200, 30, 4, 900), 1_000)];
  const script = (change: object) => ({ ...scriptStarted(), ...change }) as LedgerEntry;
  const ended = { outcome: 'failed', computeMs: 1, calls: 2, failed: 1, servers: ['a'], outputChars: 9, output: 'No.' };
  const parts = { promptAndHistory: 1, eager: 1, discovered: 1, searchOverhead: 450 };
  const broke = { cause: 'listed', tool: 'a/read', said: 'a *word*' };
  const miss = { prefix: { same: measured(5), lost: measured(7), broke } } as object;
  return ledger(
    [
      TURN_STARTED,
      first[0] as LedgerEntry,
      searched('it', { server: 'git', note: 'Nothing.' }),
      first[1] as LedgerEntry,
      searched('read', { hits: [hit('a/read', 2)], below: [hit('gone/tool', 1), hit('plain', 0.5)], matched: 3 }),
      searched('y', { failed: true }),
      found('a/read', 'a/list'),
      called('a/read', { withoutDiscovery: true, ms: 2_500 }),
      ...[called('a/list', { outcome: 'failed' }), called('a/list', { outcome: 'invalid', retry: 2 })],
      called('a/made_up', { known: false, outcome: 'refused' }),
      called('b/zip', { outcome: 'cancelled', args: 'x'.repeat(500) }),
      script({ title: 'Sum' }),
      called('a/read', { script: 'code_1', summary: 'one' }),
      called('a/read', { script: 'code_1', summary: 'two', outcome: 'failed' }),
      searched('in a script', { script: 'code_1' }),
      script({ type: 'scriptEnded', ...ended, ms: 90, returnedChars: 40, countedChars: 40, note: 'line 2', line: 2 }),
      { type: 'warned', message: 'Be *careful*.' },
      ...second.map((entry) => ({ ...entry, ...(entry.type === 'roundEnded' ? miss : {}) }) as LedgerEntry),
      { type: 'turnEnded', status: 'failed', message: 'It broke.', ms: 3_000 },
    ],
    [
      { ...TURN_STARTED, delivery: { name: 'bridge', why: 'set' } },
      ...round(1, {
        ...tokens(900, 10, 0, 400, 60),
        cost: { sent: 900, baseline: 800, parts, usd: { sent: 0.9, baseline: 0.8 } },
      } as RoundTokens),
      ...[found('a/list'), called('a/list'), ENDED],
    ],
    [...costly(['a/read'])],
    [{ ...TURN_STARTED, counts: { ...COUNTS, eager: 3, deferred: 0 } }, ...round(1, tokens(100, 60, 0, 40, 60)), ENDED],
    [TURN_STARTED, { ...ENDED, agentTokens: tokens(0, 0, 0, 778, 900) } as LedgerEntry],
    [{ ...TURN_STARTED, model: { vendor: 'toolsearch', id: 'search-only', name: 'Search only' } }, ...first, ENDED],
    [TURN_STARTED, ...first, { ...ENDED, status: 'cancelled' } as LedgerEntry],
    [TURN_STARTED, first[0] as LedgerEntry, found('a/read'), script({}), called('a/read', { script: 'code_1' })],
  );
}

/** The view of a session with much of everything, whose changed tools are told or withheld. */
function fullView(name: 'told' | 'withheld'): string[] {
  const of = (server: string, tool: string) => ({ id: `${server}/${tool}`, server, name: tool });
  const tools = [...['read', ...'abcde'].map((tool) => of('a', tool)), of('b', 'zip')];
  const problem = (source: string, severity: 'error' | 'warning' = 'warning') => ({
    ...{ severity, source, message: `${source} is odd.` },
  });
  const catalog = createCatalog(
    7,
    [...TOOLS, makeTool('vscode', 'run')],
    [
      { name: 'a', state: 'running', cached: true, problems: ['One tool is left out.'] } as never,
      { name: 'b', state: 'failed', detail: 'It ended.', source: 'mcp.json', problems: [] } as never,
      { name: 'slow', state: 'starting' as const, problems: [] },
      { name: 'off', state: 'stopped' as const, problems: [] },
    ],
  );
  const first = [
    problem('toolsearch.eagerTools'),
    problem('.vscode/mcp.json', 'error'),
    problem('toolsearch.sets', 'error'),
  ];
  const { strings: _, ...view } = viewState(
    inputs({
      ...{ events: manyEvents(), catalog, modelRule: 'v/*', trusted: name === 'withheld' },
      changed: { tools, withheld: name === 'withheld' },
      startingSince: new Map([
        ['slow', START],
        ['off', START],
      ]),
      pins: { tools: { 'a/list': 'deferred' }, servers: { b: 'eager' } },
      diagnostics:
        name === 'told'
          ? [...first, problem('a.md'), problem('toolsearch.mode')]
          : [problem('a.md'), ...first.slice(1)],
    }),
  );
  return rows(view);
}

it('a session looks as its file says, and how withheld tools differ', async () => {
  const told = fullView('told');
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('view-told.txt');
  await expect(`${changes(told, fullView('withheld')).join('\n')}\n`).toMatchFileSnapshot('view-withheld.txt');
});

it.each([
  ['that the provider runs has its calls of all the rounds it waited for', 'provider' as const, 3],
  ['of ours has those of its round alone: ids may come again', undefined, 1],
])('The row of code %s', (_, where, times) => {
  const names = () => ({ server: 'math', name: 'sum' });
  const events = [callIn(1), callIn(2), callIn(3), { ...ENDED, turn: 1, seq: 9, at: 9 } as LedgerEvent];
  const view = scriptView(scriptStarted(where), events, names);
  expect(view).toMatchObject({ outcome: 'cancelled', byTool: [{ tool: 'math/sum', times }] });
});
