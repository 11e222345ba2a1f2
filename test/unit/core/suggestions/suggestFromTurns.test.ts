import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../../src/core/ledger/ledger';
import type { LoadingRule } from '../../../../src/core/planning/loadingDecision';
import { suggestFromTurns, type TurnInputs } from '../../../../src/core/suggestions/suggestFromTurns';
import { calledSince, lastTurns } from '../../../../src/core/suggestions/turnFacts';
import type { Suggestion } from '../../../../src/core/suggestions/types';
import { estimated } from '../../../data/entries';
import { makeTool } from '../search/makeTool';
import { TurnScript, turns } from './script';

const TOOLS = [makeTool('a', 'x'), makeTool('a', 'y'), makeTool('b', 'one'), makeTool('b', 'two'), makeTool('c', 'z')];

type Standing = readonly ['eager' | 'discovered' | 'deferred', LoadingRule];

function suggest(
  events: readonly LedgerEvent[],
  eager: { readonly [id: string]: LoadingRule } = {},
  change: Partial<TurnInputs> = {},
) {
  const standing = (id: string): Standing => (eager[id] ? ['eager', eager[id]] : ['deferred', 'mode']);
  return suggestFromTurns({
    turns: lastTurns(events),
    called: calledSince(events, lastTurns(events)),
    tools: TOOLS,
    loading: new Map(TOOLS.map(({ id }) => [id, { loading: standing(id)[0], rule: standing(id)[1] }])),
    tokensOf: () => estimated(300),
    ...change,
  });
}

const finds = (turn: TurnScript) =>
  turn.round(600).search(['a/x', 'a/y']).found('a/x', 'a/y').round(1400).call('a/x').round(1400);
const idle = (turn: TurnScript) => turn.round(600).call('a/y');

describe('pinning a tool eager', () => {
  it('is suggested if it was searched for in most turns', () => {
    expect(suggest(turns(4, finds))).toMatchObject([
      { kind: 'pinTool', tool: 'a/x', turns: 4, of: 4, cost: { value: 300 }, saved: { value: 1600 }, calls: 4 },
    ]);
  });

  it('comes earlier the more it would have saved', () => {
    const both = (turn: TurnScript) =>
      turn
        .round(600)
        .search(['a/x'])
        .found('a/x')
        .round(1_400)
        .call('a/x')
        .search(['a/y'])
        .found('a/y')
        .round(4_400)
        .call('a/y')
        .round(4_400);
    const net = suggest(turns(4, both)).flatMap((one) => (one.kind === 'pinTool' ? [[one.tool, one.net.value]] : []));
    expect(net.map(([tool]) => tool)).toEqual(['a/y', 'a/x']);
    expect(net[0]?.[1]).toBeGreaterThan(net[1]?.[1] as number);
  });

  it('needs three turns, and a tool that isn’t eager yet', () => {
    expect(suggest(turns(2, finds))).toEqual([]);
    expect(suggest(turns(3, (turn) => (turn.turn === 1 ? idle(turn) : finds(turn))))).toEqual([]);
    expect(suggest(turns(6, (turn) => (turn.turn % 2 ? finds(turn) : idle(turn))))).toEqual([]);
    expect(suggest(turns(4, finds), { 'a/x': 'mode', 'a/y': 'mode' })).toEqual([]);
  });

  it('counts a tool again if a later search found it again', () => {
    const again = (turn: TurnScript) => turn.round(600).search(['a/x']).round(1400).call('a/x').round(1400);
    expect(suggest(turns(4, again))).toMatchObject([{ kind: 'pinTool', tool: 'a/x', turns: 4 }]);
  });

  it('isn’t suggested if it would save no tokens', () => {
    const cheap = (turn: TurnScript) => turn.round(600).search(['a/x']).found('a/x').round(610).call('a/x').round(610);
    expect(suggest(turns(4, cheap))).toEqual([]);
    const together = (turn: TurnScript) =>
      turn.round(600).search(['a/x', 'a/y']).found('a/x', 'a/y').round(650).call('a/x').call('a/y');
    expect(suggest(turns(4, together))).toEqual([]);
  });
});

describe('deferring what is never called', () => {
  it('is suggested for an eager tool not called in eight turns', () => {
    expect(suggest(turns(8, idle), { 'c/z': 'pin' })).toMatchObject([
      { kind: 'deferTool', tool: 'c/z', turns: 8, tokens: { value: 300 } },
    ]);
    expect(suggest(turns(7, idle), { 'c/z': 'pin' })).toEqual([]);
  });

  it('is suggested first for the tool that saves most', () => {
    const tokensOf = ({ id }: { readonly id: string }) => estimated(id === 'c/z' ? 900 : 500);
    const found = suggest(turns(8, idle), { 'a/x': 'pin', 'c/z': 'pin' }, { tokensOf });
    expect(found).toMatchObject([{ tool: 'c/z' }, { tool: 'a/x' }]);
  });

  it('counts from the turn that last called it or searched for it', () => {
    const late = (turn: TurnScript) => (turn.turn === 3 ? turn.round(600).call('c/z') : idle(turn));
    expect(suggest(turns(10, late), { 'c/z': 'pin' })).toEqual([]);
    expect(suggest(turns(11, late), { 'c/z': 'pin' })).toMatchObject([{ turns: 8 }]);
  });

  it('is suggested once for a server whose eager tools all were idle', () => {
    expect(suggest(turns(8, idle), { 'b/one': 'eagerTools', 'b/two': 'hint' })).toMatchObject([
      { kind: 'deferServer', server: 'b', eager: 2, tokens: { value: 600 }, added: { value: 0 }, net: { value: 600 } },
    ]);
  });

  it('subtracts what searching would add to a session without search', () => {
    const all = Object.fromEntries(TOOLS.map(({ id }) => [id, 'mode' as const]));
    const [found] = suggest(turns(8, idle), all, { tokensOf: () => estimated(2_000) });
    expect(found).toMatchObject({ kind: 'deferServer', server: 'b', tokens: { value: 4_000 } });
    const { added, net } = found as Suggestion & { kind: 'deferServer' };
    expect(added.value).toBeGreaterThan(300);
    expect(net.value).toBe(4_000 - added.value);
    expect(suggest(turns(8, idle), all, { tokensOf: () => estimated(200) })).toEqual([]);
    expect(suggest(turns(8, idle), { ...all, 'c/z': 'pin' }).map(({ kind }) => kind)).not.toContain('deferTool');
  });
});

describe('a server that only searches know', () => {
  const searched = (turn: TurnScript) => turn.round(600).search(['a/x', 'b/one']).found('a/x').round(700).call('a/x');
  const idleOf = (events: readonly LedgerEvent[], ...more: [Parameters<typeof suggest>[1]?]) =>
    suggest(events, ...more).filter(({ kind }) => kind === 'hideServer');

  it('is named when none of its tools was called, commonest first', () => {
    expect(idleOf(turns(20, searched))).toEqual([
      { id: 'hide b', kind: 'hideServer', server: 'b', turns: 20, tools: 2, of: 5, hits: 20, results: 40 },
      { id: 'hide c', kind: 'hideServer', server: 'c', turns: 20, tools: 1, of: 5, hits: 0, results: 40 },
    ]);
  });

  it('comes after every suggestion that saves tokens', () => {
    const kinds = suggest(turns(20, searched), { 'c/z': 'pin' }).map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe('hideServer');
    expect(kinds).toContain('deferTool');
  });

  it('needs enough turns, and none of its tools eager', () => {
    expect(idleOf(turns(19, searched))).toEqual([]);
    expect(idleOf(turns(20, searched), { 'b/one': 'mode', 'c/z': 'mode' })).toEqual([]);
  });

  it('isn’t named if another agent called one of its tools', () => {
    const agent = new TurnScript(21).call('b/two').end();
    expect(idleOf([...turns(20, searched), ...agent])).toMatchObject([{ server: 'c' }]);
    // A call before those turns isn't counted.
    const later = turns(21, searched).filter(({ turn }) => turn > 1);
    expect(idleOf([...new TurnScript(1).call('b/two').end(), ...later])).toMatchObject([
      { server: 'b' },
      { server: 'c' },
    ]);
  });
});
