import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cacheReadShare,
  PARTS,
  roundTokens,
  sumRounds,
  type TokenCounts,
} from '../../../../src/core/usage/roundTokens';
import type { RoundTokens } from '../../../../src/core/usage/types';
import { estimated, measured, sentTokens } from '../../../data/entries';
import { holds } from '../../property';

const round = (
  [promptAndHistory, eager, discovered, searchOverhead]: readonly [number, number, number, number],
  all: number,
  as = measured,
): RoundTokens => sentTokens({ promptAndHistory, eager, discovered, searchOverhead }, all, as);

/**
 * A worked example: 48,000 tokens of definitions, of which 3,000 are eager. In round 1 the model searches (the search
 * tool and the guidance take 600 tokens). In round 2 it calls the tool found (its definition takes 500, the search's
 * call and result 900 more).
 */
const ONE = round([9_000, 3_000, 0, 600], 48_000);
const TWO = round([9_400, 3_000, 500, 1_500], 48_000);

it('a worked example sums the rounds of their turn', () => {
  expect(sumRounds([ONE, TWO])).toEqual(round([18_400, 6_000, 500, 2_100], 96_000));
});

/** The counts behind {@link ONE}. */
const COUNTS: TokenCounts = {
  all: measured(48_000),
  eager: measured(3_000),
  discovered: measured(0),
  ours: measured(600),
  searches: measured(0),
  history: measured(9_000),
};

describe('what the provider reported', () => {
  it('that is too small shrinks every part alike, as estimates', () => {
    // 3,600 were counted, but the whole input is 1,800, so each part is halved.
    expect(roundTokens(COUNTS, { usage: { inputTokens: 1_800, outputTokens: 60 } })).toMatchObject({
      promptAndHistory: estimated(0),
      eager: estimated(1_500),
      searchOverhead: estimated(300),
      sent: measured(1_800),
      baseline: estimated(24_000),
    });
  });

  it('never makes a part negative, and the parts are always its sum', () => {
    const cost = fc.nat(100_000).map(measured);
    const costs = fc.record({ all: cost, eager: cost, discovered: cost, ours: cost, searches: cost, history: cost });
    const twinPrompt = fc.option(cost, { nil: undefined });
    holds([costs, twinPrompt, fc.nat(300_000)], (known, pass, inputTokens) => {
      const tokens = roundTokens(
        { ...known, ...(pass ? { twinPrompt: pass } : {}) },
        { usage: { inputTokens, outputTokens: 0 } },
      );
      expect(tokens.sent).toEqual(measured(inputTokens));
      expect(PARTS.reduce((sum, part) => sum + tokens[part].value, 0)).toBe(inputTokens);
      for (const part of PARTS) expect(tokens[part].value).toBeGreaterThanOrEqual(0);
    });
  });
});

it('sums are estimates if one part is', () => {
  const { sent, baseline } = sumRounds([ONE, { ...TWO, baseline: estimated(57_400) }]);
  expect([sent.certainty, baseline.certainty]).toEqual(['measured', 'estimated']);
});

it('sums are priced beside a request that the service never read', () => {
  const usd = { sent: 0.9, baseline: 0.8 };
  const priced = { ...ONE, cost: { sent: 900, baseline: 800, usd } };
  expect(sumRounds([priced, round([0, 0, 0, 0], 0)]).cost?.usd).toEqual(usd);
  expect(sumRounds([priced, TWO]).cost?.usd).toBeUndefined();
});

it('sums count of the cache only what is known', () => {
  expect(sumRounds([ONE, TWO]).cacheRead).toBeUndefined();
  // 10,800 of the 14,400 tokens of the only round that reports its cache.
  const rounds = [ONE, { ...TWO, cacheRead: 10_800 }];
  expect(sumRounds(rounds).cacheRead).toBe(10_800);
  expect(cacheReadShare(rounds)).toBe(0.75);
  expect(cacheReadShare([ONE])).toBeUndefined();
});
