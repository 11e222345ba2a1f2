import { expect, it } from 'vitest';
import type { LedgerEntry, LedgerEvent } from '../../../../src/core/ledger/events';
import { reportTurn } from '../../../../src/core/ledger/turnReport';
import type { RoundTokens } from '../../../../src/core/usage/types';
import { called, inTurn, measured, sentTokens, started } from '../../../data/entries';

const PARTS = { promptAndHistory: 500, eager: 0, discovered: 100, searchOverhead: 400 };
const TOKENS: RoundTokens = {
  ...sentTokens(PARTS, 10_000),
  cost: { sent: 1_000, baseline: 1_500, parts: PARTS, usd: { sent: 0.003, baseline: 0.0045 } },
};

/** A turn of two equal rounds with a model. */
function turnWith(vendor: string, id: string, tokens = TOKENS): readonly LedgerEvent[] {
  const counts = { eager: 0, discovered: 1, deferred: 9 };
  const choice = { name: 'client', why: '' };
  return inTurn([
    started({ model: { vendor, id, name: id }, strategy: choice, delivery: choice, counts }),
    ...[1, 2].flatMap((round): LedgerEntry[] => [
      { type: 'roundStarted', round, counts },
      { type: 'roundEnded', round, ms: 1, tokens },
    ]),
    { type: 'turnEnded', status: 'answered', ms: 2 },
  ]);
}

it('carries the parts of what was sent and of the baseline', () => {
  expect(reportTurn(turnWith('anthropic', 'claude-sonnet-4-6'), 1, '')).toMatchObject({
    sentTokens: 2_000,
    baselineTokens: 21_000,
    sentParts: { promptAndHistory: 1_000, eager: 0, discovered: 200, searchOverhead: 800 },
    baselineParts: { promptAndHistory: 1_000, definitions: 20_000 },
    cost: {
      sent: 2_000,
      baseline: 3_000,
      netSaved: 1_000,
      sentParts: { searchOverhead: 800 },
      usd: { sent: 0.006, baseline: 0.009, netSaved: expect.closeTo(0.003) },
    },
  });
});

it('has no dollars if one round has no list price', () => {
  const { usd: _, ...cost } = TOKENS.cost ?? { sent: 0, baseline: 0 };
  const events = turnWith('anthropic', 'claude-x', { ...TOKENS, cost });
  expect(reportTurn(events, 1, '')?.cost).not.toHaveProperty('usd');
});

it('names the strategy and delivery that answered in the end', () => {
  const replanned = (strategy: string) =>
    ({
      ...{ type: 'replanned', turn: 1, seq: 9, at: 9 },
      ...{ strategy: { name: strategy, why: '' }, delivery: { name: 'bridge', why: '' } },
    }) as LedgerEvent;
  const own = turnWith('anthropic', 'claude-x');
  expect(reportTurn(own, 1, '')).toMatchObject({ strategy: 'client', delivery: 'client' });
  const answered = reportTurn([...own, ...['regex', 'exact', 'bm25'].map(replanned)], 1, '');
  expect(answered).toMatchObject({ strategy: 'bm25', delivery: 'bridge' });
});

it('claims no saving without a model', () => {
  const report = reportTurn(turnWith('toolsearch', 'search-only'), 1, '');
  expect(report).toMatchObject({
    ...{ sentTokens: 0, baselineTokens: 0, netSavedTokens: 0, measured: false },
    withModel: { sentTokens: 2_000, baselineTokens: 21_000 },
  });
  expect(report).not.toHaveProperty('cost');
});

it('tells its own calls and cached tokens alone', () => {
  const calls = (turn: number, ...outcomes: readonly ('ok' | 'failed')[]) =>
    inTurn(
      outcomes.map((outcome) => called('a/b', { outcome })),
      turn,
      9,
    );
  const own = turnWith('anthropic', 'claude-x');
  const report = reportTurn([...own, ...calls(1, 'ok', 'failed'), ...calls(2, 'ok')], 1, '');
  expect(report?.calls.map(({ ok, outcome }) => `${ok} ${outcome}`)).toEqual(['true ok', 'false failed']);
  expect(report).not.toHaveProperty('cache');
  const cached = turnWith('anthropic', 'claude-x', { ...TOKENS, cacheRead: 40, cacheWrite: 2 });
  expect(reportTurn(cached, 1, '')?.cache).toEqual({ read: 80, write: 4 });
});

it('tells each round’s scripts by their own titles', () => {
  const scripts = [1, 2].flatMap((round) =>
    ['scriptStarted', 'scriptEnded'].map((type) => ({ type, round, callId: 'c', title: `No. ${round}`, servers: [] })),
  );
  const report = reportTurn([...turnWith('anthropic', 'claude-x'), ...inTurn(scripts as never, 1, 9)], 1, '');
  expect(report?.scripts.map(({ title }) => title)).toEqual(['No. 1', 'No. 2']);
});

it('tells if the cache broke, and whether the loss is measured', () => {
  const broken = (certainty: 'measured' | 'estimated') => ({
    same: measured(0),
    lost: { value: 300, certainty },
    broke: { cause: 'discovered' as const, tool: 'a/b' },
  });
  const certainties = ['measured', 'estimated'] as const;
  const events = turnWith('anthropic', 'claude-x').map((event) => {
    const certainty = event.type === 'roundEnded' ? certainties[event.round - 1] : undefined;
    return certainty ? ({ ...event, prefix: broken(certainty) } as LedgerEvent) : event;
  });
  expect(reportTurn(events, 1, '')?.cacheMisses).toEqual([
    { round: 1, cause: 'discovered', tool: 'a/b', lostTokens: 300, measured: true },
    { round: 2, cause: 'discovered', tool: 'a/b', lostTokens: 300, measured: false },
  ]);
});
