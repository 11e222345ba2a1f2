import { describe, expect, it } from 'vitest';
import { TokenCounter } from '../../../../src/core/tokens/tokenCounter';

const LONG = 'word '.repeat(1_000);
const { signal } = new AbortController();

describe('counting tokens for callers', () => {
  it('asks the service once for a long text and never for words', async () => {
    const asked: string[] = [];
    const counter = new TokenCounter(
      async (text) => asked.push(text) && 1_000,
      () => 0,
    );
    const counts = await Promise.all([LONG, LONG, ...'many little words'.split(' ')].map((text) => counter.count(text, signal)));
    await counter.count(LONG, signal);
    expect(counts.slice(0, 2)).toEqual([1_000, 1_000]);
    expect(asked).toEqual([LONG]);
  });

  it('estimates by what was counted', async () => {
    const counter = new TokenCounter(
      async (text) => text.length / 2,
      () => 0,
    );
    await counter.count(LONG, signal);
    expect(await counter.count('x'.repeat(100), signal)).toBe(50);
  });

  it('estimates where the service doesn’t count, and leaves it alone for a minute', async () => {
    let now = 0;
    let asked = 0;
    const counter = new TokenCounter(
      async () => {
        asked++;
        throw new Error('no');
      },
      () => now,
    );
    expect(await counter.count(LONG, signal)).toBeGreaterThan(0);
    await counter.count(`${LONG}!`, signal);
    now = 60_001;
    await counter.count(`${LONG}?`, signal);
    expect(asked).toBe(2);
  });
});
