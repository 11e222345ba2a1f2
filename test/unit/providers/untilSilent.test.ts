import { afterEach, describe, expect, it, vi } from 'vitest';
import { untilSilent } from '../../../src/providers/untilSilent';

afterEach(() => vi.useRealTimers());

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('A stream', () => {
  it('passes on what comes', async () => {
    async function* events() {
      yield* [1, 2, 3];
    }
    expect(await collect(untilSilent(events(), 'GPT'))).toEqual([1, 2, 3]);
  });

  it('fails in plain words if nothing comes any more', async () => {
    vi.useFakeTimers();
    async function* events() {
      yield 1;
      await new Promise(() => {});
    }
    const read = expect(collect(untilSilent(events(), 'GPT'))).rejects.toThrow('GPT has sent nothing for 2 minutes');
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    await read;
  });
});
