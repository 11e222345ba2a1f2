import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../../../src/core/ledger/events';
import { type Course, play, type Step } from './twinConversations';

const off = (value: number, truth: number) => Math.abs(value - truth) / Math.max(1, truth);

describe('the baseline of a conversation', () => {
  it('contains thinking that is bound to what was sent', async () => {
    // The stand-in's model thinks as much as it is asked.
    const steps = [1, 2, 3, 4].map((n) => ({
      kind: 'ask' as const,
      prompt: `echo message="${'some words '.repeat(150)}" n=${n}`,
      model: 2 as const,
      stop: false,
    }));
    const course: Course = { wire: 'claude', delivery: 'local', steps };
    const [{ sums }, twin] = await Promise.all([play(course, false), play(course, true)]);
    expect(sums.baseline.certainty).toBe('estimated');
    expect(off(sums.baseline.value, twin.reported.tokens)).toBeLessThan(0.05);
    expect(off(sums.cost?.baseline ?? 0, twin.reported.cost)).toBeLessThan(0.05);
  });

  it('has the cache of three days, recomputed by hand', async () => {
    const ask = (n: number, model: 0 | 1 = 0, stop = false): Step => {
      return { kind: 'ask', prompt: `get-sum a=${n} b=${n + 1}`, model, stop };
    };
    const pause = (minutes: number): Step => ({ kind: 'pause', minutes });
    const days: Step[][] = [
      [ask(1), ask(2), pause(4), ask(3), { kind: 'newChat' }, ask(4), pause(900)],
      [ask(5), ask(6, 1), ask(7), pause(900)],
      [{ kind: 'firstChat' }, ask(8), ask(9, 0, true), ask(10)],
    ];
    // The part of each request of the baseline that Claude Sonnet 4.6 reads from its cache, which lives for five minutes:
    // nothing, the definitions, or the whole request before with the same model.
    const read = [
      ...['nothing', 'last', 'last', 'last', 'last', 'last', 'definitions', 'last'],
      ...['nothing', 'last', 'nothing', 'last', 'last but two', 'last'],
      ...['nothing', 'last', 'last', 'last', 'last'],
    ];
    const course: Course = { wire: 'claude', delivery: 'bridge', steps: days.flat() };
    const { events, sums, reported } = await play(course, false);
    const rounds = eventsOf(events, 'roundEnded').flatMap(({ tokens }) => (tokens.baseline.value > 0 ? tokens : []));
    const sizes = rounds.map(({ baseline }) => baseline.value);
    const byHand = sizes.map((size, index) => {
      const [first = 0, last = 0, earlier = 0] = [sizes[0], sizes[index - 1], sizes[index - 3]];
      // The question of a new chat has 21 tokens.
      const cached = { nothing: 0, definitions: first - 21, last, 'last but two': earlier }[read[index] ?? ''] ?? 0;
      return 0.1 * cached + 1.25 * (size - cached);
    });
    expect(rounds.map(({ cost }) => cost?.baseline)).toEqual(byHand.map((cost) => expect.closeTo(cost, -0.3)));
    expect([sums.sent.value, sums.cacheRead]).toEqual([reported.tokens, reported.cached]);
    expect(off(sums.cost?.sent ?? 0, reported.cost)).toBeLessThan(0.002);
  });
});
