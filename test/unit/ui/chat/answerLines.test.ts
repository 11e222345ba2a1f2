import { beforeEach, describe, expect, it } from 'vitest';
import { createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import { Ledger, type LedgerEntry } from '../../../../src/core/ledger/ledger';
import { figuresOfTurns, unitOf } from '../../../../src/core/ledger/turnFigures';
import { AnswerLines } from '../../../../src/ui/chat/belowAnswer';
import { called, estimated, searched, sentTokens, started } from '../../../data/entries';
import { filler } from '../../core/turn/world';
import { resetHost } from '../../shim/host';

beforeEach(() => resetHost());

const COUNTS = { eager: 1, deferred: 156, discovered: 0 };

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

describe('the lines under an answer', () => {
  it('offer no start of a server whose names another has', () => {
    const taken = { ...failed('a_b'), namesTakenBy: 'a.b', detail: 'Its names are those of a.b.' };
    const lines = world({ servers: [taken] }).linesAfter(started(), ended);
    expect(lines).toContain('`a_b`: Its names are those of a\\.b\\.');
    expect(lines).not.toContain('Start again');
    const both = world({ servers: [taken, failed('c')] }).linesAfter(started(), ended);
    expect(both).toContain('Failed servers: `c`. [Start again](command:toolsearch.startServers?["c"])');
  });

  it('lead to the turn in the inspector', () => {
    expect(world().linesAfter(started(), ended)).toBe(
      '[Show this turn in the inspector](command:toolsearch.openInspector?[{"section":"turns","turn":1}])',
    );
  });

  it.each([
    [[875, 24_062], COUNTS, '96% fewer tokens than with all tools · 1 of 157 tools used'],
    [
      [1_500, 1_000],
      COUNTS,
      '50% more tokens than with all tools: our own tools took more than the definitions · 1 of 157 tools used',
    ],
    [
      [6_850, 1_000],
      { eager: 3, deferred: 0, discovered: 0 },
      '585% more tokens than with all tools: our own tools or earlier definitions were sent too · 1 of 3 tools used',
    ],
    [[1_000, 1_000], { eager: 3, deferred: 0, discovered: 0 }, 'nothing kept out · 1 of 3 tools used'],
  ] as const)('begin with the difference to all tools: %j', ([sent, baseline], counts, text) => {
    const entries = [started({ counts }), round(sent, baseline), call, call, refused, ended];
    expect(world().linesAfter(...entries)).toContain(`[${text}](command:toolsearch.openInspector?`);
  });

  it('name the number of VS Code’s tools that weren’t sent', () => {
    const counts = { eager: 3, deferred: 0, discovered: 0 };
    const entries = [started({ counts, unsent: 24 }), round(1_000, 1_000), call, ended];
    expect(world().linesAfter(...entries)).toContain(
      '[nothing kept out · 1 of 3 tools used · VS Code’s 24 tools weren’t sent](command:',
    );
  });

  it.each([
    [{ sent: 0.38, baseline: 1 }, '62% cheaper than with all tools · 1 of 157 tools used'],
    [
      { sent: 1.1, baseline: 1 },
      '10% more expensive than with all tools: all definitions would be cheap in the provider’s cache · 1 of 157 tools used',
    ],
  ])('give the difference in dollars if the price is known: %j', (usd, text) => {
    const entries = [started(), costed(round(875, 24_062), usd), call, call, ended];
    expect(world().linesAfter(...entries)).toContain(`[${text}](command:`);
  });

  it('count tokens in a session with a turn whose price is unknown', () => {
    const { linesAfter } = world();
    linesAfter(started(), round(875, 24_062), ended);
    const lines = linesAfter(started(), costed(round(875, 24_062), { sent: 0.38, baseline: 1 }), ended);
    expect(lines).toContain('[96% fewer tokens than with all tools');
    const cheaper = linesAfter(started(), costed(round(1_500, 1_000), { sent: 0.38, baseline: 1 }), ended);
    expect(cheaper).toContain('[50% more tokens than with all tools: our own tools took more');
  });

  it('claim no saving if the turn failed', () => {
    const entries = [started(), round(875, 24_062), { ...ended, status: 'failed' as const }];
    expect(world().linesAfter(...entries)).toContain('[Show this turn in the inspector](command:');
  });

  it('claim no saving if no model was asked', () => {
    const model = { vendor: 'toolsearch', id: 'search-only', name: 'Search only' };
    const entries = [started({ model }), round(875, 24_062), call, ended];
    expect(world().linesAfter(...entries)).toContain('[no model asked · 1 of 157 tools used](command:');
  });

  it('explain a search that found nothing', () => {
    expect(world().linesAfter(searched('send a (fax)'))).toBe(
      'No tool was found for “send a \\(fax\\)”. [Show why](command:toolsearch.openInspector?[{"section":"playground","query":"send a (fax)"}])',
    );
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
