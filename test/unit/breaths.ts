import { onTestFinished, vi } from 'vitest';

/** Returns a function for the number of times that code has let other work run since now. */
export function countBreaths(): () => number {
  const spy = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.length;
}
