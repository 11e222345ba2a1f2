import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usdOf } from '../../../../src/core/models/listPrice';
import { modelPrices } from '../../../../src/core/models/modelFacts';
import type { ModelPrices } from '../../../../src/core/models/types';
import { costByPart, inputCost, reportedCacheUse } from '../../../../src/core/usage/inputCost';
import { cacheable } from '../../../../src/core/usage/promptCache';
import type { Segment } from '../../../../src/core/usage/requestShape';
import { sumRounds } from '../../../../src/core/usage/roundTokens';
import type { RoundTokens } from '../../../../src/core/usage/types';
import { measured, sentTokens } from '../../../data/entries';
import { holds } from '../../property';

function round(figures: { sent: number; baseline: number; cacheRead?: number; cacheWrite?: number }): RoundTokens {
  const { sent, baseline, ...cache } = figures;
  return { ...sentTokens({ promptAndHistory: sent }, 0), baseline: measured(baseline), ...cache };
}

const rulesOf = (vendor: string, id: string) => modelPrices({ vendor, id }) as ModelPrices;
const CLAUDE = rulesOf('toolsearch-anthropic', 'claude-sonnet-4-5');
const LATE_GPT = rulesOf('toolsearch-openai', 'gpt-5.6-sol');

describe('the rules of a cache', () => {
  it.each([
    ['toolsearch-anthropic', 'claude-sonnet-4-5', { read: 0.1, write: 1.25, minimum: 1_024, lifeMs: 300_000 }],
    ['toolsearch-anthropic', 'claude-opus-5-5', { read: 0.05, write: 1.25, usd: 4 }],
    ['toolsearch-anthropic', 'claude-sonnet-5-5', { read: 0.05, write: 1.25 }],
    ['toolsearch-anthropic', 'claude-fable-5-2', { read: 0.025, usd: 8 }],
    ['toolsearch-anthropic', 'claude-fable-5-20260609', { read: 0.1, usd: 10 }],
    ['toolsearch-openai', 'gpt-5-2025-08-07', { read: 0.1, write: 1 }],
    ['toolsearch-anthropic', 'claude-haiku-4-5', { minimum: 4_096 }],
    ['toolsearch-anthropic', 'claude-sonnet-4-6', { minimum: 2_048 }],
    ['toolsearch-openai', 'gpt-5.4-mini', { read: 0.1, write: 1, ends: 128, lifeMs: 300_000 }],
    ['toolsearch-openai', 'gpt-5.6-sol', { read: 0.1, write: 1.25, lifeMs: 1_800_000 }],
    ['toolsearch-openai', 'gpt-6.2-sol', { read: 0.05, write: 1.25 }],
    ['toolsearch-openai', 'gpt-4.1', { read: 0.25, write: 1 }],
  ])('of %s/%s are those of its family', (vendor, id, expected) => {
    expect(modelPrices({ vendor, id })).toMatchObject(expected);
  });

  it.each([
    ['copilot', 'claude-sonnet-4-5'],
    ['toolsearch', 'search-only'],
  ])('of %s/%s are not known', (vendor, id) => expect(modelPrices({ vendor, id })).toBeUndefined());

  it('cache nothing below the minimum, and whole steps above it', () => {
    expect([1_023, 1_024, 1_200].map((tokens) => cacheable(tokens, CLAUDE))).toEqual([0, 1_024, 1_200]);
    expect([1_023, 1_024, 1_200].map((tokens) => cacheable(tokens, LATE_GPT))).toEqual([0, 1_024, 1_152]);
  });
});

describe('the price in US dollars', () => {
  it('is the list price of fresh input', () => {
    expect(usdOf(1_000_000, 1_000_000, CLAUDE)).toBe(3);
    expect(usdOf(500, 1_000, rulesOf('openai', 'gpt-5.4'))).toBe(0.00125);
  });

  it('is higher for a long request of some models', () => {
    const rules = rulesOf('openai', 'gpt-6.2-sol');
    expect([usdOf(1_000_000, 272_000, rules), usdOf(1_000_000, 272_001, rules)]).toEqual([2, 4]);
  });

  it('is not known of a model without a list price', () => {
    expect(usdOf(1_000, 1_000, rulesOf('anthropic', 'claude-unheard-of'))).toBeUndefined();
  });
});

describe('the cost of each kind', () => {
  const segment = (kind: Segment['kind'], chars: number, more: Partial<Segment> = {}): Segment => ({
    kind,
    blocks: 1,
    hash: '',
    chars,
    ...more,
  });
  const tokens = sentTokens({ eager: 100, discovered: 200, searchOverhead: 300, promptAndHistory: 400 }, 0);
  const request = {
    segments: [
      segment('tool', 50, { id: 'a' }),
      segment('tool', 100, { id: 'b', own: true }),
      segment('history', 10),
      segment('history', 50, { search: true }),
      segment('history', 10),
    ],
    discovered: new Set<string>(),
    guidance: 0,
  };

  it('is low for the beginning, which the cache holds', () => {
    // In order: 100 eager, 200 of the search tool, 200 of the question, 100 of a search, 200 found, 200 of the
    // question.
    expect(costByPart(tokens, request, { read: 500, write: 300 }, CLAUDE)).toEqual({
      eager: 10,
      searchOverhead: 20 + 125,
      discovered: 250,
      promptAndHistory: 20 + 200,
    });
  });

  it('is low for found tools wherever the cache holds them', () => {
    const said = [segment('history', 9), segment('history', 9, { id: 'a' })];
    const list = [segment('tool', 9, { id: 'a' }), segment('tool', 9, { id: 'b', own: true }), segment('history', 9)];
    for (const segments of [said, list]) {
      const found = { ...request, segments, discovered: new Set('a') };
      expect(costByPart(tokens, found, { read: 600, write: 0 }, CLAUDE).discovered).toBe(20);
    }
  });

  it('adds up to the cost of the request', () => {
    holds([fc.nat(1_000), fc.nat(1_000)], (read, more) => {
      const use = { read, write: Math.min(more, 1_000 - read) };
      const parts = Object.values(costByPart(tokens, request, use, CLAUDE));
      expect(parts.reduce((sum, value) => sum + value, 0)).toBe(inputCost(1_000, use, CLAUDE));
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
    });
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

  it('adds up over rounds, also with those whose cost is not known', () => {
    const figures = fc.record({ sent: fc.nat(1e6), baseline: fc.nat(1e6), known: fc.boolean() });
    holds([fc.array(figures, { minLength: 1, maxLength: 5 })], (rounds) => {
      const costed = rounds.map(({ sent, baseline, known }): RoundTokens => {
        const tokens = round({ sent, baseline });
        return known ? { ...tokens, cost: { sent: sent / 2, baseline: baseline / 4 } } : tokens;
      });
      const expected = rounds.reduce((sum, { sent, known }) => sum + (known ? sent / 2 : sent), 0);
      expect(sumRounds(costed).cost?.sent).toBe(rounds.some(({ known }) => known) ? expected : undefined);
    });
  });
});
