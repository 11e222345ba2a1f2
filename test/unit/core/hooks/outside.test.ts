import { describe, expect, it } from 'vitest';
import { runOutside } from '../../../../src/core/hooks/outside';

const never = new Promise<never>(() => {});
/** A timer that never fires. */
const stopped = () => () => {};

describe('code of another extension', () => {
  it('is neither run nor waited for if its turn was cancelled before', async () => {
    let ran = false;
    const work = () => {
      ran = true;
      return never;
    };
    await expect(runOutside(work, AbortSignal.abort(), stopped)).rejects.toThrow('it was cancelled');
    expect(ran).toBe(false);
  });

  it('gets a signal when its turn is cancelled meanwhile', async () => {
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const running = runOutside(
      (signal) => {
        seen = signal;
        return never;
      },
      stop.signal,
      stopped,
    );
    await Promise.resolve();
    stop.abort();
    await expect(running).rejects.toThrow('it was cancelled');
    expect(seen?.aborted).toBe(true);
  });

  it('learns that it took too long and isn’t waited for', async () => {
    let timeUp = () => {};
    let seen: AbortSignal | undefined;
    const running = runOutside(
      (signal) => {
        seen = signal;
        return never;
      },
      new AbortController().signal,
      (run) => {
        timeUp = run;
        return () => {};
      },
    );
    await Promise.resolve();
    timeUp();
    await expect(running).rejects.toThrow('no answer within 2 s');
    expect(seen?.aborted).toBe(true);
  });
});
