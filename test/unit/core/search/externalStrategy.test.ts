import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runOutside } from '../../../../src/core/search/externalStrategy';

const work = vi.fn((_signal: AbortSignal) => new Promise<never>(() => {}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  work.mockClear();
});

describe('code of another extension', () => {
  it('is neither run nor waited for if its turn was cancelled before', async () => {
    await expect(runOutside(work, AbortSignal.abort())).rejects.toThrow('it was cancelled');
    expect(work).not.toHaveBeenCalled();
  });

  it('gets a signal when its turn is cancelled meanwhile', async () => {
    const stop = new AbortController();
    const running = runOutside(work, stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(running).rejects.toThrow('it was cancelled');
    expect(work.mock.lastCall?.[0].aborted).toBe(true);
  });

  it('learns that it took too long and isn’t waited for', async () => {
    const running = runOutside(work, new AbortController().signal);
    const ended = expect(running).rejects.toThrow('no answer within 2 s');
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;
    expect(work.mock.lastCall?.[0].aborted).toBe(true);
  });
});
