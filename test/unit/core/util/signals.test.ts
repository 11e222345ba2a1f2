import { describe, expect, it } from 'vitest';
import { onAbort, untilAborted } from '../../../../src/core/util/signals';
import { isOverWithin, pause } from '../../../../src/core/util/timers';

const never = new Promise<never>(() => {});

describe('waiting', () => {
  it('ends as the work does, if nothing aborts', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('ends with the abort, also one before, and with its reason', async () => {
    await expect(untilAborted(never, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await expect(untilAborted(Promise.resolve(1), AbortSignal.abort(new Error('why')))).rejects.toThrow('why');
    const stop = new AbortController();
    const waiting = untilAborted(never, stop.signal);
    stop.abort(new Error('later'));
    await expect(waiting).rejects.toThrow('later');
  });

  it('pauses until it is woken, before and meanwhile', async () => {
    const hour = 3_600_000;
    await pause(hour, AbortSignal.abort());
    const stop = new AbortController();
    const paused = pause(hour, stop.signal);
    stop.abort();
    await paused;
    await pause(0);
  });

  it('says whether the work ended in time', async () => {
    expect(await isOverWithin(0, never)).toBe(false);
    expect(await isOverWithin(3_600_000, Promise.resolve())).toBe(true);
    expect(await isOverWithin(3_600_000, Promise.reject(new Error('no')))).toBe(true);
  });

  it('reports an abort once, also an earlier one, never after leaving', () => {
    const stop = new AbortController();
    const heard: string[] = [];
    onAbort(stop.signal, () => heard.push('first'));
    onAbort(stop.signal, () => heard.push('second'))();
    stop.abort();
    onAbort(stop.signal, () => heard.push('third'));
    expect(heard).toEqual(['first', 'third']);
  });
});
