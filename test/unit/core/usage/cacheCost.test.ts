import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOf, sumRounds } from '../../../../src/core/usage/arithmetic';
import { cacheCost, cacheRatios, costOf, NO_CACHE } from '../../../../src/core/usage/cacheCost';
import type { RoundTokens, Tokens } from '../../../../src/core/usage/types';

const measured = (value: number): Tokens => ({ value, certainty: 'measured' });

function round(figures: { sent: number; baseline: number; cacheRead?: number; cacheWrite?: number }): RoundTokens {
  const { sent, baseline, ...cache } = figures;
  return {
    promptAndHistory: measured(sent),
    eager: measured(0),
    discovered: measured(0),
    searchOverhead: measured(0),
    sent: measured(sent),
    baseline: measured(baseline),
    ...cache,
  };
}

const CLAUDE = { read: 0.1, write: 1.25 };

describe('the price of a cache', () => {
  it.each([
    ['toolsearch-anthropic', 'claude-sonnet-4-5', 0.1, 1.25],
    ['toolsearch-anthropic', 'claude-opus-5-5', 0.05, 1.25],
    ['toolsearch-openai', 'gpt-5.4-mini', 0.1, 1],
    ['toolsearch-openai', 'gpt-5.6-sol', 0.1, 1.25],
    ['toolsearch-openai', 'gpt-4.1', 0.25, 1],
    ['copilot', 'claude-sonnet-4-5', 1, 1],
    ['toolsearch', 'search-only', 1, 1],
  ])('of %s/%s is %d for reading and %d for writing', (vendor, id, read, write) => {
    expect(cacheRatios({ vendor, id })).toMatchObject({ read, write });
  });

  it('weighs what was sent by what the provider read and wrote', () => {
    const price = cacheCost(round({ sent: 1_000, baseline: 1_000, cacheRead: 600, cacheWrite: 300 }), CLAUDE, {
      before: undefined,
      warm: false,
    });
    expect(price?.sent).toBe(100 + 60 + 375);
  });

  it('says that deferring a small catalog under a warm cache costs more than it saves', () => {
    // 2,000 tokens of definitions in a warm cache against 900 of searching that are new in each round.
    const tokens = round({ sent: 1_800, baseline: 2_900, cacheRead: 500, cacheWrite: 1_300 });
    const price = cacheCost(tokens, CLAUDE, { before: 2_500, warm: true });
    expect(price?.baseline).toBe(250 + 500);
    expect(costOf({ ...tokens, price }).net).toEqual({ value: 750 - 1_675, certainty: 'estimated' });
    expect(balanceOf(tokens).net.value).toBeGreaterThan(0);
  });

  it('is the baseline’s own where every definition was sent, whatever the provider kept of it', () => {
    for (const cache of [{ cacheRead: 0, cacheWrite: 980 }, { cacheRead: 900, cacheWrite: 60 }, { cacheRead: 0 }]) {
      const price = cacheCost(round({ sent: 1_000, baseline: 1_000, ...cache }), CLAUDE, { before: 950, warm: true });
      expect(price?.baseline).toBe(price?.sent);
    }
  });

  it('writes the whole baseline where the cache would have been lost as well', () => {
    const tokens = round({ sent: 500, baseline: 10_000, cacheRead: 0, cacheWrite: 500 });
    expect(cacheCost(tokens, CLAUDE, { before: 9_000, warm: false })?.baseline).toBe(12_500);
  });

  it('is unknown where nobody says what was read from a cache, or what that costs; then every token counts alike', () => {
    const silent = round({ sent: 500, baseline: 10_000 });
    expect(cacheCost(silent, CLAUDE, { before: 9_000, warm: true })).toBeUndefined();
    expect(
      cacheCost(round({ sent: 500, baseline: 1, cacheRead: 3 }), NO_CACHE, { before: 1, warm: true }),
    ).toBeUndefined();
    expect(costOf(silent).net.value).toBe(9_500);
  });

  it('is never more than that of fresh tokens written anew, and sums are the sums', () => {
    const figures = fc.record({
      sent: fc.nat(1e6),
      baseline: fc.nat(1e6),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      before: fc.nat(1e6),
    });
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 5 }), (rounds) => {
        const priced = rounds.map(({ sent, baseline, share, before }) => {
          const tokens = round({ sent, baseline, cacheRead: Math.floor(sent * share) });
          return { ...tokens, price: cacheCost(tokens, CLAUDE, { before, warm: true }) };
        });
        for (const { price, sent, baseline } of priced) {
          expect(price?.sent).toBeLessThanOrEqual(sent.value);
          expect(price?.baseline).toBeLessThanOrEqual(Math.ceil(baseline.value * 1.25));
        }
        expect(sumRounds(priced).price?.sent).toBe(priced.reduce((sum, { price }) => sum + (price?.sent ?? 0), 0));
      }),
    );
  });
});
