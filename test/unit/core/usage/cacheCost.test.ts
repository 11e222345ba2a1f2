import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumRounds } from '../../../../src/core/usage/arithmetic';
import { costOf, inputCost, reportedCacheUse } from '../../../../src/core/usage/cacheCost';
import { type CacheRules, cacheable, cacheRules } from '../../../../src/core/usage/cacheRules';
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

const rulesOf = (vendor: string, id: string) => cacheRules({ vendor, id }) as CacheRules;
const CLAUDE = rulesOf('toolsearch-anthropic', 'claude-sonnet-4-5');
const LATE_GPT = rulesOf('toolsearch-openai', 'gpt-5.6-sol');

describe('the rules of a cache', () => {
  it.each([
    ['toolsearch-anthropic', 'claude-sonnet-4-5', { read: 0.1, write: 1.25, minimum: 1_024, lifeMs: 300_000 }],
    ['toolsearch-anthropic', 'claude-opus-5-5', { read: 0.1, write: 1.25 }],
    ['toolsearch-anthropic', 'claude-sonnet-5-5', { read: 0.05, write: 1.25 }],
    ['toolsearch-anthropic', 'claude-fable-5-2', { read: 0.025 }],
    ['toolsearch-anthropic', 'claude-haiku-4-5', { minimum: 4_096 }],
    ['toolsearch-anthropic', 'claude-sonnet-4-6', { minimum: 2_048 }],
    ['toolsearch-openai', 'gpt-5.4-mini', { read: 0.1, write: 1, ends: 128, lifeMs: 300_000 }],
    ['toolsearch-openai', 'gpt-5.6-sol', { read: 0.1, write: 1.25, lifeMs: 1_800_000 }],
    ['toolsearch-openai', 'gpt-6.2-sol', { read: 0.05, write: 1.25 }],
    ['toolsearch-openai', 'gpt-4.1', { read: 0.25, write: 1 }],
  ])('of %s/%s are those of its family', (vendor, id, expected) => {
    expect(cacheRules({ vendor, id })).toMatchObject(expected);
  });

  it.each([
    ['copilot', 'claude-sonnet-4-5'],
    ['toolsearch', 'search-only'],
  ])('of %s/%s are not known', (vendor, id) => {
    expect(cacheRules({ vendor, id })).toBeUndefined();
  });

  it('cache nothing below the minimum, and whole steps above it', () => {
    expect([1_023, 1_024, 1_200].map((tokens) => cacheable(tokens, CLAUDE))).toEqual([0, 1_024, 1_200]);
    expect([1_023, 1_024, 1_200].map((tokens) => cacheable(tokens, LATE_GPT))).toEqual([0, 1_024, 1_152]);
  });
});

describe('the cost of input', () => {
  it('weighs what the provider read and wrote', () => {
    expect(inputCost(1_000, { read: 600, write: 300 }, CLAUDE)).toBe(100 + 60 + 375);
  });

  it('counts as written what a charging provider does not report', () => {
    const tokens = round({ sent: 3_000, baseline: 3_000, cacheRead: 1_024 });
    expect(reportedCacheUse(tokens, LATE_GPT)).toEqual({ read: 1_024, write: 2_944 - 1_024 });
    expect(reportedCacheUse(tokens, rulesOf('toolsearch-openai', 'gpt-5.4'))).toEqual({ read: 1_024, write: 0 });
    expect(reportedCacheUse(round({ sent: 3_000, baseline: 3_000 }), LATE_GPT)).toBeUndefined();
  });

  it('counts every token alike where nothing is known of a cache', () => {
    expect(costOf(round({ sent: 500, baseline: 10_000 })).net).toEqual({ value: 9_500, certainty: 'estimated' });
  });

  it('adds up over rounds, also with those whose cost is not known', () => {
    const figures = fc.record({ sent: fc.nat(1e6), baseline: fc.nat(1e6), known: fc.boolean() });
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 5 }), (rounds) => {
        const costed = rounds.map(({ sent, baseline, known }): RoundTokens => {
          const tokens = round({ sent, baseline });
          return known ? { ...tokens, cost: { sent: sent / 2, baseline: baseline / 4 } } : tokens;
        });
        const expected = rounds.reduce((sum, { sent, known }) => sum + (known ? sent / 2 : sent), 0);
        expect(sumRounds(costed).cost?.sent).toBe(rounds.some(({ known }) => known) ? expected : undefined);
      }),
    );
  });
});
