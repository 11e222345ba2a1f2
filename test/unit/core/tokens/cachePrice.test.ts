import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachePrice, cacheRatios, NO_CACHE, sumPrices } from '../../../../src/core/tokens/cachePrice';
import type { RoundTokens, Tokens } from '../../../../src/core/tokens/types';

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
    expect(cacheRatios({ vendor, id })).toEqual({ read, write });
  });

  it('weighs what was sent by what the provider read and wrote', () => {
    const price = cachePrice(
      round({ sent: 1_000, baseline: 1_000, cacheRead: 600, cacheWrite: 300 }),
      { read: 0.1, write: 1.25 },
      { before: undefined, warm: false },
    );
    expect(price.sent).toEqual({ value: 100 + 60 + 375, certainty: 'estimated' });
  });

  it('says that deferring a small catalog under a warm cache costs more than it saves', () => {
    // 2,000 tokens of definitions in a warm cache against 900 of searching that are new in each round.
    const warm = { before: 2_500, warm: true };
    const price = cachePrice(round({ sent: 1_800, baseline: 2_900, cacheRead: 500, cacheWrite: 1_300 }), { read: 0.1, write: 1.25 }, warm);
    expect(price.baseline.value).toBe(250 + 500);
    expect(price.net.value).toBeLessThan(0);
  });

  it('writes the whole baseline where the cache would have been lost as well', () => {
    const price = cachePrice(
      round({ sent: 500, baseline: 10_000, cacheWrite: 500 }),
      { read: 0.1, write: 1.25 },
      { before: 9_000, warm: false },
    );
    expect(price.baseline.value).toBe(12_500);
  });

  it('is the count of tokens where nobody says what was read from a cache, whatever the ratios', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), fc.boolean(), (sent, baseline, before, warm) => {
        const price = cachePrice(round({ sent, baseline }), { read: 0.1, write: 1.25 }, { before, warm });
        expect([price.sent.value, price.baseline.value]).toEqual([sent, baseline]);
      }),
    );
  });

  it('is the count of tokens where all tokens cost the same, and sums are the sums', () => {
    const figures = fc.record({ sent: fc.nat(1e6), baseline: fc.nat(1e6), share: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(figures, { maxLength: 5 }), (rounds) => {
        const prices = rounds.map(({ sent, baseline, share }) =>
          cachePrice(round({ sent, baseline, cacheRead: Math.floor(sent * share) }), NO_CACHE, { before: baseline, warm: true }),
        );
        expect(sumPrices(prices).net).toEqual({
          value: rounds.reduce((sum, { sent, baseline }) => sum + baseline - sent, 0),
          certainty: 'estimated',
        });
      }),
    );
  });
});
