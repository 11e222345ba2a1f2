import { describe, expect, it } from 'vitest';
import { CountRefused } from '../../../../src/core/ports';
import { type AskCount, TokenCounter } from '../../../../src/core/usage/tokenCounter';
import { estimated, measured } from '../../../data/entries';

const LONG = 'word '.repeat(1_000);
const never = new AbortController().signal;

/** Counts that a test answers one by one. Also records how often the model was asked. */
class Asked {
  readonly signals: AbortSignal[] = [];
  readonly #answers: { resolve(value: number): void; reject(error: Error): void }[] = [];
  readonly ask: AskCount = (signal) => {
    this.signals.push(signal);
    return new Promise((resolve, reject) => this.#answers.push({ resolve, reject }));
  };
  answer(value: number): void {
    this.#answers.shift()?.resolve(value);
  }
  fail(error: Error): void {
    this.#answers.shift()?.reject(error);
  }
}

/** A counter with a clock, and counts of a history that one user may cancel. */
function counting() {
  const [asked, abort, time] = [new Asked(), new AbortController(), { now: 0 }];
  const counter = new TokenCounter(() => time.now);
  const count = (text = LONG, signal = never) => counter.count('history', text, asked.ask, signal);
  return { asked, abort, time, counter, count };
}

describe('a count', () => {
  it('is asked for once for a text, by all who want it', async () => {
    const { asked, counter, count } = counting();
    const both = [count(), count()];
    asked.answer(10);
    expect(await Promise.all(both)).toEqual([measured(10), measured(10)]);
    expect(await count()).toEqual(measured(10));
    expect(counter.known('history', LONG)).toEqual(measured(10));
    expect(asked.signals).toHaveLength(1);
  });

  it('is remembered for the texts used last, however long they are', async () => {
    const asks = new Map<string, number>();
    const counter = new TokenCounter();
    const count = (text: string) =>
      counter.count(
        'definitions',
        text,
        async () => {
          asks.set(text, (asks.get(text) ?? 0) + 1);
          return text.length;
        },
        never,
      );
    const texts = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(20_000)}${i}`);
    const [first = '', second = ''] = texts;
    for (const text of [...texts, ...texts, first, 'one more', first]) await count(text);
    expect([...asks.values()]).toEqual(Array(51).fill(1));
    await count(second);
    expect(asks.get(second)).toBe(2);
  });

  it('that is refused for good is never asked for again', async () => {
    let now = 0;
    let asks = 0;
    const counter = new TokenCounter(() => now);
    const refuse = async () => {
      asks++;
      throw new CountRefused('no tokeniser');
    };
    expect((await counter.count('history', 'x'.repeat(360), refuse, never)).certainty).toBe('estimated');
    now = 3_600_000;
    await counter.count('history', 'y', refuse, never);
    expect(asks).toBe(1);
  });

  it('that failed once is asked for again after a minute', async () => {
    const { asked, time, count } = counting();
    const first = count();
    asked.fail(new Error('429'));
    expect((await first).certainty).toBe('estimated');
    time.now = 59_999;
    expect((await count()).certainty).toBe('estimated');
    expect(asked.signals).toHaveLength(1);
    time.now = 60_000;
    const second = count();
    asked.answer(7);
    expect(await second).toEqual(measured(7));
  });

  it('whose asker cancelled says nothing of the model', async () => {
    const { asked, abort, count } = counting();
    const first = count(LONG, abort.signal);
    abort.abort();
    expect((await first).certainty).toBe('estimated');
    expect(asked.signals[0]?.aborted).toBe(true);
    const second = count();
    expect(asked.signals).toHaveLength(2);
    asked.answer(1);
    asked.answer(9);
    expect(await second).toEqual(measured(9));
  });

  it('that two share goes on while one of them wants it', async () => {
    const { asked, abort, count } = counting();
    const mine = count(LONG, abort.signal);
    const other = count();
    abort.abort();
    expect((await mine).certainty).toBe('estimated');
    expect(asked.signals[0]?.aborted).toBe(false);
    asked.answer(8);
    expect(await other).toEqual(measured(8));
  });

  it('that never comes leaves the service alone for a while', async () => {
    const { asked, abort, time, count } = counting();
    const first = count(LONG, abort.signal);
    time.now = 5_000;
    abort.abort();
    await first;
    await count(`${LONG}!`);
    expect(asked.signals).toHaveLength(1);
  });

  it('is nothing for no text', async () => {
    expect(await new TokenCounter().count('history', '', async () => 5, never)).toEqual(measured(0));
    expect(new TokenCounter().estimate(0)).toEqual(measured(0));
  });
});

it('estimates are calibrated on long measured texts, not on short ones', async () => {
  const counter = new TokenCounter();
  const before = counter.estimate(10_000).value;
  await counter.count('definitions', 'abc', async () => 3, never);
  expect(counter.estimate(10_000).value).toBe(before);
  await counter.count('definitions', 'x'.repeat(5_000), async () => 2_500, never);
  expect(counter.estimate(10_000)).toEqual(estimated(5_000));
});

it('estimates for definitions aren’t calibrated by what the user writes', async () => {
  const counter = new TokenCounter();
  const before = counter.estimate(10_000).value;
  await counter.count('history', '讓'.repeat(5_000), async () => 5_000, never);
  expect(counter.estimate(10_000).value).toBe(before);
  expect(counter.estimate(10_000, 'history').value).toBe(10_000);
});

describe('counts for callers, who ask word by word', () => {
  it('are asked for once for a long text and never for words', async () => {
    const counter = new TokenCounter();
    const asked: number[] = [];
    const count = (text: string) => counter.countForCaller(text, async () => asked.push(text.length) && 1_000, never);
    const counts = await Promise.all([LONG, LONG, ...'many little words'.split(' ')].map(count));
    await count(LONG);
    expect(counts.slice(0, 2)).toEqual([1_000, 1_000]);
    expect(asked).toEqual([LONG.length]);
  });

  it('are estimated by what was counted', async () => {
    const counter = new TokenCounter();
    await counter.countForCaller(LONG, async () => LONG.length / 2, never);
    expect(await counter.countForCaller('x'.repeat(100), async () => 0, never)).toBe(50);
  });

  it('are estimated beyond four at once', async () => {
    const counter = new TokenCounter();
    const asked = new Asked();
    const counts = Array.from({ length: 5 }, (_, index) => counter.countForCaller(`${LONG}${index}`, asked.ask, never));
    expect(await counts[4]).toBeGreaterThan(0);
    expect(asked.signals).toHaveLength(4);
  });
});
