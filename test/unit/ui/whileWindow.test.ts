import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onAbort } from '../../../src/core/util/signals';
import { whileWindow } from '../../../src/vscode/whileWindow';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const untilStopped = (signal: AbortSignal) =>
  new Promise<string>((resolve) => void onAbort(signal, () => resolve('stopped')));

it('ends work whose window answers no more', async () => {
  let isThere = true;
  let asked = 0;
  const running = whileWindow(never, untilStopped, () => {
    asked++;
    return isThere ? Promise.resolve() : new Promise(() => {});
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBeGreaterThan(3);
  isThere = false;
  await vi.advanceTimersByTimeAsync(31_000);
  await expect(running).resolves.toBe('stopped');
});

it('asks no more once the work is over, and allows cancelling', async () => {
  const ask = vi.fn(() => Promise.resolve());
  expect(await whileWindow(never, async () => 'done', ask)).toBe('done');
  const cancel = new AbortController();
  const running = whileWindow(cancel.signal, untilStopped, ask);
  cancel.abort();
  expect(await running).toBe('stopped');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(ask).not.toHaveBeenCalled();
});
