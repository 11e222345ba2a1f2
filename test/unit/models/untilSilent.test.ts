import { afterEach, describe, expect, it, vi } from 'vitest';
import { untilSilent } from '../../../src/models/untilSilent';

afterEach(() => vi.useRealTimers());

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('A stream', () => {
  it('passes on what comes, and ends its request at the end', async () => {
    async function* events() {
      yield* [1, 2, 3];
    }
    const stop = vi.fn();
    expect(await collect(untilSilent(events(), 'GPT', stop))).toEqual([1, 2, 3]);
    expect(stop).toHaveBeenCalledOnce();
  });

  it('fails in plain words where nothing comes any more', async () => {
    vi.useFakeTimers();
    const stop = vi.fn();
    async function* events() {
      yield 1;
      await new Promise(() => {});
    }
    const read = expect(collect(untilSilent(events(), 'GPT', stop))).rejects.toThrow('GPT fell silent in the middle of its answer');
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    await read;
    expect(stop).toHaveBeenCalledOnce();
  });
});
