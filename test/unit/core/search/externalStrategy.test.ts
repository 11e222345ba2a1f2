import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runOutside } from '../../../../src/core/search/externalStrategy';

const never = new Promise<never>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('code of another extension', () => {
  it('is neither run nor waited for if its turn was cancelled before', async () => {
    let ran = false;
    const work = () => {
      ran = true;
      return never;
    };
    await expect(runOutside(work, AbortSignal.abort())).rejects.toThrow('it was cancelled');
    expect(ran).toBe(false);
  });

  it('gets a signal when its turn is cancelled meanwhile', async () => {
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const running = runOutside((signal) => {
      seen = signal;
      return never;
    }, stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(running).rejects.toThrow('it was cancelled');
    expect(seen?.aborted).toBe(true);
  });

  it('learns that it took too long and isn’t waited for', async () => {
    let seen: AbortSignal | undefined;
    const running = runOutside((signal) => {
      seen = signal;
      return never;
    }, new AbortController().signal);
    const ended = expect(running).rejects.toThrow('no answer within 2 s');
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;
    expect(seen?.aborted).toBe(true);
  });
});
