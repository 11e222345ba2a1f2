import { describe, expect, it } from 'vitest';
import { Learning } from '../../../../../src/core/search/learning/learning';

const WORD = [{ root: 'film', word: 'film' }];
const OTHER = [{ root: 'roll', word: 'roll' }];
const bonusOf = (learning: Learning) =>
  learning.bonuses({ words: WORD, covered: 0.9, tools: 100, having: () => 1, has: () => false }).get('a')?.adds ?? 0;

function usedAgo(uses: number): Learning {
  const learning = new Learning();
  learning.add('a', WORD);
  for (let use = 0; use < uses; use++) learning.add('b', OTHER);
  return learning;
}

describe('what use taught', () => {
  it('adds less the longer ago it was', () => {
    expect(bonusOf(usedAgo(400))).toBeLessThan(0.8 * bonusOf(usedAgo(0)));
  });

  it('is forgotten in the end, and so are uses', () => {
    expect(usedAgo(400).learnt.tools.a).toHaveLength(1);
    const old = usedAgo(1_200).learnt;
    expect(old.tools.a).toBeUndefined();
    expect(old.uses).toBeLessThan(300);
  });
});
