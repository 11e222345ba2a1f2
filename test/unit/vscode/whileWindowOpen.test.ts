import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { onAbort } from '../../../src/core/util/signals';
import { whileWindowOpen } from '../../../src/vscode/whileWindowOpen';

const ask = vi.spyOn(vscode.commands, 'executeCommand');

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset().mockResolvedValue(undefined);
});
afterEach(() => vi.useRealTimers());
afterAll(() => ask.mockRestore());

const never = new AbortController().signal;
const untilStopped = (signal: AbortSignal) =>
  new Promise<string>((resolve) => void onAbort(signal, () => resolve('stopped')));

it('ends work whose window answers no more', async () => {
  const running = whileWindowOpen(never, untilStopped);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask.mock.calls.length).toBeGreaterThan(3);
  ask.mockReturnValue(new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(31_000);
  await expect(running).resolves.toBe('stopped');
});

it('asks no more once the work is over, and allows cancelling', async () => {
  expect(await whileWindowOpen(never, async () => 'done')).toBe('done');
  const cancel = new AbortController();
  const running = whileWindowOpen(cancel.signal, untilStopped);
  cancel.abort();
  expect(await running).toBe('stopped');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(ask).not.toHaveBeenCalled();
});
