import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { UseReader } from '../../../../src/core/turn/learnFromUse';

const searched = (query: string, ids: readonly string[], change = {}) => ({
  type: 'searched' as const,
  round: 1,
  callId: 'c',
  query,
  strategy: 'bm25',
  ms: 1,
  searched: 9,
  matched: ids.length,
  limit: 5,
  hits: ids.map((id) => ({ id, score: 1, matchType: 'bm25', terms: [] })),
  below: [],
  failed: false,
  ...change,
});
const called = (tool: string, outcome: 'ok' | 'failed' = 'ok') => ({
  type: 'called' as const,
  round: 2,
  callId: 'd',
  tool,
  outcome,
  args: {},
  ms: 1,
  retry: 0,
  withoutDiscovery: false,
});

describe('what was used after a search', () => {
  it('is a call that succeeded of a tool that the last search for it returned, once', () => {
    const ledger = new Ledger();
    const uses = new UseReader();
    const one = ledger.startTurn(() => 0);
    const other = ledger.startTurn(() => 0);
    const record = (entry: object) => one.record(entry as Parameters<typeof one.record>[0]);
    record(searched('films', ['a/x', 'a/y']));
    record(searched('films nearby', ['a/x']));
    other.record(called('a/y') as Parameters<typeof other.record>[0]);
    record(called('a/y', 'failed'));
    expect(uses.read(ledger.events)).toEqual([]);
    record(called('a/x'));
    record(called('a/x'));
    record(called('a/z'));
    expect(uses.read(ledger.events)).toEqual([{ tool: 'a/x', query: 'films nearby' }]);
    expect(uses.read(ledger.events)).toEqual([]);
  });

  it('is nothing that was asked for by name or pattern, and nothing of before', () => {
    const ledger = new Ledger();
    const { record } = ledger.startTurn(() => 0);
    const uses = new UseReader();
    record(searched('films', ['a/x']));
    uses.skip(ledger.events);
    record(called('a/x') as Parameters<typeof record>[0]);
    record(searched('film.*', ['a/y'], { strategy: 'regex' }));
    record(called('a/y') as Parameters<typeof record>[0]);
    expect(uses.read(ledger.events)).toEqual([]);
  });
});
