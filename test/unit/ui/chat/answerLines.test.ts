import { beforeEach, describe, expect, it } from 'vitest';
import { createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import { Ledger, type LedgerEntry } from '../../../../src/core/ledger/ledger';
import { figuresOfTurns, unitOf } from '../../../../src/core/ledger/turnFigures';
import { AnswerLines } from '../../../../src/ui/chat/belowAnswer';
import { called, estimated, hit, searched, sentTokens, started } from '../../../data/entries';
import { filler } from '../../core/turn/world';
import { resetHost } from '../../shim/host';

beforeEach(() => resetHost());

const COUNTS = { eager: 1, deferred: 156, discovered: 0 };
const ALL = { eager: 3, deferred: 0, discovered: 0 };
const SEARCH_ONLY = { vendor: 'toolsearch', id: 'search-only', name: 'Search only' };

function world({
  servers = [],
  withheld = [],
}: {
  servers?: readonly ServerInfo[];
  withheld?: readonly string[];
} = {}) {
  const ledger = new Ledger();
  const tools = filler('many', 3);
  const source = {
    catalog: {
      ...createCatalog(1, tools, servers),
      withheld: new Map(tools.filter(({ id }) => withheld.includes(id)).map((tool) => [tool.invokeName, tool])),
    },
  };
  const lines = new AnswerLines({ ledger, source });
  /** The lines under the answer of a new turn, with the links' arguments decoded. */
  const linesAfter = (...entries: readonly LedgerEntry[]) => {
    const { turn, record } = ledger.startTurn(() => 1);
    for (const entry of entries) record(entry);
    const turns = figuresOfTurns(ledger.events);
    const figures = turns.find(({ started }) => started.turn === turn);
    const text = lines.of(turn, figures, unitOf(turns))?.value.trim() ?? '';
    return text.replace(/\?[^)]+/g, (query) => decodeURIComponent(query));
  };
  return { linesAfter, source };
}

const round = (sent: number, baseline: number): LedgerEntry => ({
  type: 'roundEnded',
  round: 1,
  ms: 1,
  tokens: { ...sentTokens({ promptAndHistory: sent }, 0, estimated), baseline: estimated(baseline) },
});
const costed = (counted: LedgerEntry, usd: { readonly sent: number; readonly baseline: number }) =>
  counted.type === 'roundEnded'
    ? { ...counted, tokens: { ...counted.tokens, cost: { sent: 1, baseline: 1, usd } } }
    : counted;
const call = called('many/zz1');
const refused = called('many/zz2', { outcome: 'refused' });
const ended: LedgerEntry = { type: 'turnEnded', status: 'answered', ms: 1 };
const failed = (name: string): ServerInfo => ({ name, state: 'failed', problems: [] });

/** Answers by what they show, each with the entries of its turn. */
const ANSWERS: { readonly [name: string]: readonly LedgerEntry[] } = {
  nothing: [started(), ended],
  fewer: [started({ counts: COUNTS }), round(875, 24_062), call, call, refused, ended],
  more: [started({ counts: COUNTS }), round(1_500, 1_000), call, ended],
  'more by definitions': [started({ counts: ALL }), round(6_850, 1_000), call, ended],
  'nothing kept out': [started({ counts: ALL, unsent: 24 }), round(1_000, 1_000), call, ended],
  'about the same': [started({ counts: { eager: 3, deferred: 1, discovered: 0 } }), round(996, 1_000), ended],
  'just more': [started(), round(1_005, 1_000), ended],
  cheaper: [started(), costed(round(875, 24_062), { sent: 0.38, baseline: 1 }), call, call, ended],
  dearer: [started(), costed(round(875, 24_062), { sent: 1.1, baseline: 1 }), call, ended],
  'of a failed turn': [started(), round(875, 24_062), { ...ended, status: 'failed' as const }],
  'without a model': [started({ model: SEARCH_ONLY }), round(875, 24_062), call, ended],
  'a search in vain': [searched('other'), searched('send a (fax)'), searched('x', { hits: [hit('many/zz1')] })],
};

describe('the lines under an answer', () => {
  it('say what their file says', async () => {
    const told = Object.entries(ANSWERS).map(([name, entries]) => `${name}: ${world().linesAfter(...entries)}`);
    const { linesAfter } = world();
    told.push('in a session with a turn without a price:', linesAfter(started(), round(875, 24_062), ended));
    told.push(linesAfter(started(), costed(round(875, 24_062), { sent: 0.38, baseline: 1 }), ended));
    told.push(linesAfter(started(), costed(round(1_500, 1_000), { sent: 0.38, baseline: 1 }), ended));
    const taken = { ...failed('a_b'), namesTakenBy: 'a.b', detail: 'Its names are those of a.b.' };
    for (const servers of [[taken], [taken, failed('c')]])
      told.push('with servers that failed:', world({ servers }).linesAfter(started(), ended));
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('answerLines.txt');
  });

  it('offer to start a failed server again, once until it fails again', () => {
    const { linesAfter, source } = world({ servers: [failed('a](x)')] });
    expect(linesAfter()).toBe('Failed servers: `a](x)`. [Start again](command:toolsearch.startServers?["a](x)"])');
    expect(linesAfter()).toBe('');
    source.catalog = { ...source.catalog, servers: [] };
    expect(linesAfter()).toBe('');
    source.catalog = { ...source.catalog, servers: [failed('a](x)'), failed('b')] };
    expect(linesAfter()).toContain('Failed servers: `a](x)`, `b`. [Start again]');
  });

  it('offer changed, waiting tools for a look, once', () => {
    const { linesAfter } = world({ withheld: ['many/zz0', 'many/zz1'] });
    expect(linesAfter()).toBe(
      '2 tools have changed and aren’t used until you accept them. [Show changes](command:toolsearch.openInspector?[{"section":"tools","filter":"is:omitted"}])',
    );
    expect(linesAfter()).toBe('');
  });
});
