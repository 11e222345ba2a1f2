import { expect, it } from 'vitest';
import type { LedgerEntry, LedgerEvent } from '../../../../src/core/ledger/events';
import type { Unit } from '../../../../src/core/ledger/lossCause';
import { figuresOfTurns, turnFigures, unitOf } from '../../../../src/core/ledger/turnFigures';
import type { CacheMissCause, RoundTokens } from '../../../../src/core/usage/types';
import { inTurn, measured, sentTokens, started } from '../../../data/entries';

const counts = { eager: 2, discovered: 15, deferred: 109 };

const costing = (sent: number, baseline: number, cost?: RoundTokens['cost']): RoundTokens => ({
  ...{ ...sentTokens({ promptAndHistory: sent }, 0), baseline: measured(baseline) },
  ...(cost && { cost }),
});

/** The events of a turn with a round for each of these tokens. */
function turnOf(rounds: readonly RoundTokens[], ...others: readonly LedgerEntry[]): readonly LedgerEvent[] {
  return inTurn([
    started({ counts }),
    ...rounds.flatMap((tokens, index): LedgerEntry[] => [
      { type: 'roundStarted', round: index + 1, counts },
      { type: 'roundEnded', round: index + 1, ms: 1, tokens },
    ]),
    ...others,
    { type: 'turnEnded', status: 'answered', ms: 1 },
  ]);
}

/** The same events with other fields. */
function changed(events: readonly LedgerEvent[], type: LedgerEvent['type'], change: object): readonly LedgerEvent[] {
  return events.map((event) => (event.type === type ? ({ ...event, ...change } as LedgerEvent) : event));
}

const SEARCHED = { type: 'searched', round: 1 } as LedgerEntry;
const dollars = (sent: number, baseline: number) => ({ sent, baseline, usd: { sent, baseline } });
const DEAR = turnOf([costing(900, 100, dollars(900, 100))], SEARCHED);
const missing = (lost: number, cause: CacheMissCause = 'discovered') => ({
  prefix: { same: measured(0), lost: measured(lost), broke: { cause } },
});

it('sums a turn’s requests, and compares it if it was answered', () => {
  const events = turnOf([costing(100, 900), costing(200, 1_000)]);
  expect(turnFigures(events)).toMatchObject({
    ...{ asksModel: true, requests: [{}, {}], net: measured(1_600), compared: true, readAgain: measured(0) },
    tokens: { sent: measured(300), baseline: measured(1_900) },
    ...{ inRequest: 17, tools: 126 },
  });
  expect(turnFigures(events.slice(0, -1))?.compared).toBe(false);
  expect(turnFigures(events.slice(1))).toBeUndefined();
});

it.each([
  ['usd', [turnOf([costing(0, 0)]), DEAR]],
  ['tokens', [turnOf([costing(1, 2)]), DEAR]],
  ['tokens', [turnOf([costing(0, 0)])]],
])('turns are shown in %s', (unit, turns) => expect(unitOf(turns.flatMap(figuresOfTurns))).toBe(unit));

it('has the plan that was carried out, without refused requests', () => {
  const bridge = { name: 'bridge', why: '' };
  const replanned: LedgerEntry = { type: 'replanned', refused: 1, delivery: bridge };
  const [start, refused, ...others] = turnOf([costing(1, 2)], replanned);
  const again = { ...refused, seq: 9 } as LedgerEvent;
  const figures = turnFigures([start, refused, ...others, again] as LedgerEvent[]);
  expect(figures?.started.delivery).toEqual(bridge);
  expect(figures?.inRequest).toBe(2);
  expect(figures?.events.filter(({ type }) => type === 'roundStarted')).toEqual([again]);
});

it('claims no saving for a failed turn, and nothing without a model', () => {
  const events = turnOf([costing(100, 900)]);
  const failed = turnFigures(changed(events, 'turnEnded', { status: 'failed' }));
  expect(failed).toMatchObject({ compared: false, net: measured(0), tokens: { sent: measured(100) } });
  const model = { vendor: 'toolsearch', id: 'search-only', name: 'Search only' };
  expect(turnFigures(changed(events, 'turnStarted', { model }))).toMatchObject({
    ...{ asksModel: false, requests: [], compared: false, net: measured(0) },
    withModel: { sent: measured(100), baseline: measured(900) },
  });
});

it('takes an agent’s estimate for one request', () => {
  const events = changed(turnOf([]), 'turnEnded', { agentTokens: costing(5, 50) });
  expect(turnFigures(events)).toMatchObject({ rounds: [], requests: [{}], net: measured(45), compared: true });
});

it.each<{ why: string; unit?: Unit; events: readonly LedgerEvent[] }>([
  { why: 'undefined', events: turnOf([costing(900, 900)]) },
  { why: 'guidance', events: turnOf([costing(900, 100)]) },
  { why: 'searched', events: turnOf([costing(900, 100)], SEARCHED) },
  {
    why: 'undeferred',
    events: changed(turnOf([costing(900, 100)]), 'roundStarted', { counts: { eager: 2, discovered: 0, deferred: 0 } }),
  },
  { why: 'cached', unit: 'usd', events: turnOf([costing(100, 900, dollars(100, 90))], SEARCHED) },
  { why: 'undefined', events: turnOf([costing(100, 900, dollars(100, 90))], SEARCHED) },
  { why: 'undefined', unit: 'usd', events: turnOf([costing(900, 100, dollars(90, 100))], SEARCHED) },
  { why: 'searched', events: turnOf([costing(900, 100, dollars(90, 100))], SEARCHED) },
  // All tools were sent anew, and searching cost a hundredth of the loss.
  {
    why: 'cached',
    unit: 'usd',
    events: turnOf([
      costing(900, 880, {
        ...dollars(1_100, 100),
        parts: { promptAndHistory: 90, eager: 1_000, discovered: 0, searchOverhead: 10 },
      }),
    ]),
  },
  {
    why: 'undeferred',
    unit: 'usd',
    events: changed(turnOf([costing(100, 900, dollars(100, 90))]), 'roundStarted', {
      counts: { eager: 0, discovered: 0, deferred: 0 },
    }),
  },
  { why: 'searched', unit: 'usd', events: changed(DEAR, 'roundEnded', missing(799)) },
  { why: 'missed', unit: 'usd', events: changed(DEAR, 'roundEnded', missing(800)) },
  // A plain client would have missed its cache as well.
  { why: 'searched', unit: 'usd', events: changed(DEAR, 'roundEnded', missing(800, 'expired')) },
  // A miss makes tokens more expensive, not more.
  { why: 'searched', events: changed(DEAR, 'roundEnded', missing(800)) },
  // Cheaper in units of fresh tokens, but not in dollars.
  {
    why: 'searched',
    unit: 'usd',
    events: turnOf([costing(900, 100, { sent: 9, baseline: 10, usd: { sent: 2, baseline: 1 } })], SEARCHED),
  },
])('names why a turn took more than with all tools: $why', ({ why, unit = 'tokens', events }) => {
  expect(String(turnFigures(events)?.lossCause[unit])).toBe(why);
});

it('separates the turns of a session', () => {
  const one = turnOf([costing(1, 2)]);
  const two = turnOf([costing(3, 4)]).map((event) => ({ ...event, turn: 2 }));
  const mixed = one.flatMap((event, index) => [event, ...two.slice(index, index + 1)]);
  expect(figuresOfTurns(mixed).map(({ tokens }) => tokens.sent.value)).toEqual([1, 3]);
});
