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
    entries.map((entry) => {
      seq++;
      return { ...entry, seq, at: START + seq * 1000, turn: index + 1 } as LedgerEvent;
    }),
  );
}

function round(number: number, figures: RoundTokens, ms = 500): LedgerEntry[] {
  return [
    { type: 'roundStarted', round: number, counts: COUNTS },
    { type: 'roundEnded', round: number, ms, tokens: figures, outputTokens: measured(10) },
  ];
}

const ENDED: LedgerEntry = { type: 'turnEnded', status: 'answered', ms: 3000 };

describe('sums', () => {
  const amount = fc.nat({ max: 100_000 });
  const figures = fc.tuple(amount, amount, amount, amount, amount).map((parts) => tokens(...parts));

  it('of a turn are its rounds’, of the session its turns’', () => {
    holds(
      fc.property(
        fc.array(fc.array(figures, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        (session) => {
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
        },
      ),
    );
  });

  it('are summed over the turns that were answered', () => {
    const turn = [TURN_STARTED, ...round(1, tokens(1000, 200, 30, 4, 900))];
    const failed: LedgerEntry = { type: 'turnEnded', status: 'failed', ms: 3000 };
    const { header, turns } = viewState(
      inputs({ events: ledger([...turn, ENDED], [...turn, failed], [...turn, ENDED]) }),
    );
    expect(header.session).toEqual({ sent: measured(2468), baseline: estimated(3800), compared: 2 });
    expect(turns.map(({ compared }) => compared)).toEqual([true, false, true]);
  });

  it('are in dollars if each turn has a price', () => {
    const priced = {
      ...tokens(1000, 200, 30, 4, 900),
      cost: { sent: 900, baseline: 1100, usd: { sent: 0.9, baseline: 1.1 } },
    };
    const one = [TURN_STARTED, ...round(1, priced), ENDED];
    const { unit, session } = viewState(inputs({ events: ledger(one, one) })).header;
    expect(unit).toBe('usd');
    expect(session?.usd).toEqual({ sent: 1.8, baseline: 2.2 });
    const other = [TURN_STARTED, ...round(1, tokens(1, 1, 1, 1, 9)), ENDED];
    expect(viewState(inputs({ events: ledger(one, other) })).header.unit).toBe('tokens');
  });

  it('count an agent’s search over no tools, which saved nothing', () => {
    const agentTokens = { ...tokens(0, 0, 0, 778, 0), baseline: estimated(0) };
    const events = ledger([TURN_STARTED, { ...ENDED, agentTokens } as LedgerEntry]);
    expect(viewState(inputs({ events })).header.session).toMatchObject({
      sent: { value: 778 },
      baseline: { value: 0 },
    });
  });

  it('leave the header blank before the first round ends', () => {
    const view = viewState(inputs({ events: ledger([TURN_STARTED]) }));
    expect(view.header.session).toBeUndefined();
    expect(view.header.model?.name).toBe('M');
    expect(view.turns[0]?.running).toBe(true);
  });
});

describe('a turn that cost more than it saved', () => {
  const costly = (ids: string[]) =>
    ledger([
      TURN_STARTED,
      ...round(1, tokens(100, 10, 0, 400, 60)),
      searched('read'),
      searched('list'),
      { type: 'discovered', round: 1, ids, tokens: estimated(20) },
      ...round(2, tokens(100, 10, 20, 900, 60)),
      ENDED,
    ]);

  it('says why, and what searching took', () => {
    const [turn] = viewState(inputs({ events: costly([]) })).turns;
    expect(turn?.loss.tokens?.text).toBe(
      'Only 2 tools were deferred, and searching took more than their definitions would have.',
    );
    expect(turn?.overhead.tokens).toEqual(measured(1300));
  });

  it('names the server to pin if that costs less than searching', () => {
    expect(viewState(inputs({ events: costly(['a/read']) })).turns[0]?.loss.tokens?.pinServer).toBe('a');
  });

  it('names none if pinning costs more, nothing matched, or it’s pinned', () => {
    const dear = inputs({ events: costly(['a/read']), tokensOf: () => measured(10_000) });
    expect(viewState(dear).turns[0]?.loss.tokens?.pinServer).toBeUndefined();
    expect(viewState(inputs({ events: costly([]) })).turns[0]?.loss.tokens?.pinServer).toBeUndefined();
    const fold = new ViewFold();
    const free = inputs({ events: costly(['a/read']) });
    expect(fold.fold(free, 'all').turns[0]?.loss.tokens?.pinServer).toBe('a');
    const pinned = { ...free, pins: { tools: {}, servers: { a: 'eager' as const } } };
    expect(fold.fold(pinned, 'all').turns[0]?.loss.tokens?.pinServer).toBeUndefined();
  });

  it('says so if nothing was searched', () => {
    const events = ledger([
      { ...TURN_STARTED, counts: { eager: 3, discovered: 0, deferred: 0 } },
      ...round(1, tokens(100, 60, 0, 40, 60)),
      ENDED,
    ]);
    expect(viewState(inputs({ events })).turns[0]?.loss.tokens?.text).toContain('No search ran');
  });
});

describe('the timeline', () => {
  const flagsOf = (...entries: LedgerEntry[]) =>
    viewState(inputs({ events: ledger([TURN_STARTED, ...entries]) })).turns[0]?.events?.flatMap((event) =>
      event.flags.map((flag) => flag.kind),
    );

  it('flags a search without hits, and one that failed', () => {
    expect(flagsOf(searched('x'), searched('y', { failed: true }))).toEqual(['noHits', 'failed']);
  });

  it('counts discovered tools that the turn didn’t call, without a warning', () => {
    const found: LedgerEntry = { type: 'discovered', round: 1, ids: ['a/read', 'a/list'], tokens: estimated(200) };
    const unused = (...entries: LedgerEntry[]) =>
      viewState(inputs({ events: ledger([TURN_STARTED, found, ...entries]) })).turns[0]?.events?.[0];
    expect(unused(called('a/read'), ENDED)).toMatchObject({ unused: 1, flags: [] });
    expect(unused()).toMatchObject({ unused: 0 });
  });

  it('counts found definitions only if they enter the conversation', () => {
    const found: LedgerEntry = { type: 'discovered', round: 1, ids: ['a/read'], tokens: estimated(200) };
    const over = (name: string) =>
      viewState(inputs({ events: ledger([{ ...TURN_STARTED, delivery: { name, why: '' } }, found]) })).turns[0]
        ?.events?.[0];
    expect(over('local')).toMatchObject({ tokens: estimated(200) });
    expect(over('bridge')).not.toHaveProperty('tokens');
  });

  it('flags calls that were undiscovered, retried, refused, invalid, failed or cancelled', () => {
    const flags = flagsOf(
      called('a/read', { withoutDiscovery: true }),
      called('a/read', { outcome: 'failed' }),
      called('a/read', { outcome: 'invalid' }),
      called('a/read', { retry: 1 }),
      called('a/read', { outcome: 'refused' }),
      called('a/read', { outcome: 'cancelled' }),
    );
    expect(flags).toEqual(['withoutDiscovery', 'failed', 'invalid', 'retried', 'refused', 'cancelled']);
  });

  it('puts each event where it began, and the end last', () => {
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

  it('says where a search was of one server alone', () => {
    const rows = viewState(inputs({ events: ledger([TURN_STARTED, searched('x', { server: 'git' }), searched('y')]) }))
      .turns[0]?.events;
    expect(rows).toMatchObject([
      { query: 'x', server: 'git' },
      { query: 'y', server: undefined },
    ]);
  });

  it('ranks hits through the limit and says which were returned', () => {
    const hit = (id: string, score: number) => ({ id, score, matchType: 'bm25', terms: ['read'] });
    const search = searched('read', { hits: [hit('a/read', 2)], below: [hit('gone/tool', 1)], matched: 2 });
    const row = viewState(inputs({ events: ledger([TURN_STARTED, search]) })).turns[0]?.events?.[0];
    expect(row).toMatchObject({
      hits: [
        { rank: 1, server: 'a', name: 'read', returned: true },
        { rank: 2, server: 'gone', name: 'tool', returned: false },
      ],
    });
  });

  it('keeps the name that a model made up, without a server', () => {
    const row = viewState(inputs({ events: ledger([TURN_STARTED, called('a/made_up', { known: false })]) })).turns[0]
      ?.events?.[0];
    expect(row).toMatchObject({ kind: 'call', name: 'a/made_up' });
    expect(row).not.toHaveProperty('server');
  });

  it('comes newest turn first', () => {
    const view = viewState(inputs({ events: ledger([TURN_STARTED, ENDED], [TURN_STARTED, ENDED], [TURN_STARTED]) }));
    expect(view.turns.map((turn) => turn.turn)).toEqual([3, 2, 1]);
  });
});

describe('tools', () => {
  it('are sorted by server, then name', () => {
    const view = viewState(inputs());
    expect(view.tools.map((each) => each.id)).toEqual(['a/list', 'a/read', 'a-b/one', 'b/zip']);
  });

  it('are marked while they are others than the user accepted', () => {
    const marked = (ids: readonly string[]) => {
      const changed = { tools: ids.map((id) => ({ id, server: 'a', name: id })), withheld: false };
      return viewState(inputs({ changed })).tools.flatMap((each) => (each.changed ? [each.id] : []));
    };
    expect(marked(['a/read'])).toEqual(['a/read']);
    expect(marked(['a/list'])).toEqual(['a/list']);
    expect(marked([])).toEqual([]);
  });

  it('that wait to be accepted appear among them, not in counts', () => {
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

  it('say where they were discovered and how often they were called', () => {
    const search = searched('read it', { hits: [{ id: 'a/read', score: 1, matchType: 'bm25', terms: [] }] });
    const events = ledger([
      TURN_STARTED,
      search,
      { type: 'discovered', round: 1, ids: ['a/read'], tokens: estimated(1) },
      called('a/read'),
      called('a/read'),
      ENDED,
    ]);
    const read = viewState(inputs({ events })).tools.find((each) => each.id === 'a/read');
    expect(read).toMatchObject({
      discoveredAt: { turn: 1, round: 1, query: 'read it', rank: 1 },
      calls: 2,
      callMs: 2,
    });
  });
});

describe('servers and notices', () => {
  it('says in one row what changed at a server, and what follows', () => {
    const of = (server: string, name: string) => ({ id: `${server}/${name}`, server, name });
    const tools = [...[...'abcdef'].map((name) => of('forge', name)), of('docs', 'find')];
    const noticesOf = (withheld: boolean) => viewState(inputs({ changed: { tools, withheld } })).notices;
    expect(noticesOf(false)).toMatchObject([
      {
        kind: 'warning',
        bold: '6 tools of forge changed since this workspace last saw them:',
        text: 'a, b, c, d, and e, … Models get the new definitions.',
        actions: [
          { command: 'compareChanged', server: 'forge' },
          { command: 'acceptChanged', server: 'forge' },
        ],
      },
      {
        bold: '1 tool of docs changed since this workspace last saw it:',
        text: 'find. Models get the new definitions.',
      },
    ]);
    expect(noticesOf(true)[1]?.text).toBe('find. Models can’t see or call them until you accept the change.');
  });

  it('list a server that only its tools speak of', () => {
    const view = viewState(inputs({ catalog: createCatalog(1, [makeTool('vscode', 'run')], []) }));
    expect(view.servers).toMatchObject([{ name: 'vscode', state: 'running', tools: 1 }]);
  });

  it('time a server that is starting', () => {
    const catalog = createCatalog(1, [], [{ name: 'slow', state: 'starting', problems: [] }]);
    const view = viewState(inputs({ catalog, startingSince: new Map([['slow', START]]) }));
    expect(view.servers[0]?.startingMs).toBe(60_000);
  });

  it('say: workspace untrusted, and what is wrong in settings', () => {
    const view = viewState(
      inputs({
        trusted: false,
        diagnostics: [
          { severity: 'warning', source: 'toolsearch.eagerTools', message: 'Matches nothing.' },
          { severity: 'error', source: '.vscode/mcp.json', message: 'Is no JSON.' },
          { severity: 'error', source: 'toolsearch.sets', message: 'The chosen set is gone.' },
        ],
      }),
    );
    expect(view.untrusted).toBe(true);
    expect(view.notices.map((notice) => notice.actions[0]?.command)).toEqual([
      'manageTrust',
      'openMcpJson',
      'selectSet',
      'openSettings',
    ]);
  });

  it('sum up diagnostics that are too many to show', () => {
    const diagnostics = Array.from({ length: 9 }, (_, i) => ({
      severity: 'warning' as const,
      source: `toolsearch.${i}`,
      message: 'Bad.',
    }));
    const { notices } = viewState(inputs({ diagnostics }));
    expect(notices).toHaveLength(4);
    expect(notices.at(-1)?.bold).toBe('6 more problems.');
  });
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

describe('The row of code', () => {
  it.each([
    ['that the provider runs has its calls of all the rounds it waited for', 'provider' as const, 3],
    ['of ours has those of its round alone: ids may come again', undefined, 1],
  ])('%s', (_, where, times) => {
    const view = scriptView(scriptStarted(where), [callIn(1), callIn(2), callIn(3)], () => ({
      server: 'math',
      name: 'sum',
    }));
    expect(view.byTool).toMatchObject([{ tool: 'math/sum', times }]);
  });
});
