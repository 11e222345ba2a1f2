// Timers and cancellation on top of the platform's own AbortSignal and setTimeout. `AbortSignal.any` joins signals,
// `AbortSignal.timeout` makes one from a time; this file adds the missing functions.

/** Calls `run` after `ms` milliseconds; the returned function prevents that. */
export type Timer = (run: () => void, ms: number) => () => void;

export const systemTimer: Timer = (run, ms) => {
  const handle = setTimeout(run, ms);
  return () => clearTimeout(handle);
};

/** Like {@link systemTimer}, but doesn't keep the process alive. */
export const backgroundTimer: Timer = (run, ms) => {
  const handle: ReturnType<typeof setTimeout> & { unref?(): void } = setTimeout(run, ms);
  handle.unref?.();
  return () => clearTimeout(handle);
};

/** Calls `run` again and again, every `ms` milliseconds; the returned function ends that. */
export const every: Timer = (run, ms) => {
  const handle = setInterval(run, ms);
  return () => clearInterval(handle);
};

/** Calls `run` when the signal aborts, or at once if it has; the returned function prevents that. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}

/**
 * Resolves or rejects as `work` does, or rejects with the signal's reason as soon as the signal aborts. SDKs sleep
 * through an abort between two tries, and a server may never answer.
 */
export function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  return Promise.race([aborted, work]).finally(stop);
}

/** Waits `ms` milliseconds; an abort ends the wait early. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stop = () => {};
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    if (!signal) return;
    stop = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Whether `work` ends within `ms` milliseconds, by success or failure. Never rejects. */
export async function isOverWithin(ms: number, work: PromiseLike<unknown>): Promise<boolean> {
  const stopped = new AbortController();
  const over = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  return Promise.race([over, pause(ms, stopped.signal).then(() => false)]).finally(() => stopped.abort());
}
