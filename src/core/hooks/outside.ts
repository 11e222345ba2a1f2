/** Calls `run` after `ms` milliseconds; what is returned prevents that. */
export type Timer = (run: () => void, ms: number) => () => void;

export const systemTimer: Timer = (run, ms) => {
  const handle = setTimeout(run, ms);
  return () => clearTimeout(handle);
};

/** How long code of another extension may take, in milliseconds: a turn waits for it. */
const LIMIT_MS = 2_000;

/**
 * Runs code of another extension, which may throw, hang or never look at its signal. The signal that it gets aborts when
 * nobody waits for its answer any more.
 * @throws what the code throws, or an error in words where it took too long or was cancelled
 */
export async function runOutside<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  signal: AbortSignal,
  timer: Timer = systemTimer,
): Promise<Value> {
  const inner = new AbortController();
  let stopTimer = () => {};
  let onAbort = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('it was cancelled'));
    signal.addEventListener('abort', onAbort, { once: true });
    stopTimer = timer(() => reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  try {
    return await Promise.race([Promise.resolve().then(() => work(inner.signal)), interrupted]);
  } finally {
    stopTimer();
    signal.removeEventListener('abort', onAbort);
    inner.abort();
  }
}
