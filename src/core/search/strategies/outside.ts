import { systemTimer, untilAborted } from '../../util/signals';

/** The time limit for a strategy of another extension, in milliseconds. A search waits that long at most. */
const LIMIT_MS = 2_000;

/**
 * Runs code of another extension, which may throw, hang or ignore its signal. If `signal` has already aborted, the code
 * doesn't run. The code's own signal aborts when its answer is no longer needed.
 * @throws the error of the code, or an error if it took too long or was cancelled
 */
export async function runOutside<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const cancelled = new Error('it was cancelled');
  if (signal.aborted) throw cancelled;
  const inner = new AbortController();
  const late = new Error(`no answer within ${LIMIT_MS / 1000} s`);
  const stopTimer = systemTimer(() => inner.abort(late), LIMIT_MS);
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
