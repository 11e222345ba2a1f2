import { systemTimer, type Timer, untilAborted } from '../util/signals';

/** How long code of another extension may take, in milliseconds. A turn waits for it. */
const LIMIT_MS = 2_000;

/**
 * Runs code of another extension, which may throw, hang or ignore its signal. If it was cancelled before, the code
 * isn't run. The code's signal aborts when its answer is no longer needed.
 * @throws the error of the code, or an error if it took too long or was cancelled
 */
export async function runOutside<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  signal: AbortSignal,
  timer: Timer = systemTimer,
): Promise<Value> {
  const cancelled = new Error('it was cancelled');
  if (signal.aborted) throw cancelled;
  const inner = new AbortController();
  const late = new Error(`no answer within ${LIMIT_MS / 1000} s`);
  const stopTimer = timer(() => inner.abort(late), LIMIT_MS);
  const either = AbortSignal.any([signal, inner.signal]);
  try {
    return await untilAborted(
      Promise.resolve().then(() => work(either)),
      either,
    );
  } catch (error) {
    throw signal.aborted && error === signal.reason ? cancelled : error;
  } finally {
    stopTimer();
    inner.abort();
  }
}
