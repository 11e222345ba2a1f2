// Waiting and giving up, on the platform's own AbortSignal and setTimeout. `AbortSignal.any` joins signals, `AbortSignal.timeout`
// makes one of a time: what they can't do by themselves stands here, once.

/** Calls `run` after `ms` milliseconds; what is returned prevents that. */
export type Timer = (run: () => void, ms: number) => () => void;

export const systemTimer: Timer = (run, ms) => {
  const handle = setTimeout(run, ms);
  return () => clearTimeout(handle);
};

/** As {@link systemTimer}, but the process doesn't stay alive for it. */
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

/** Calls `run` when the signal aborts, at once where it has; what is returned prevents that. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}

/**
 * What `work` comes to, or a rejection with the signal's reason as soon as that aborts, whatever `work` waits for: SDKs sleep
 * through an abort between two tries, and a server may never answer.
 */
export function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  return Promise.race([aborted, work]).finally(stop);
}

/** Waits, in milliseconds; an abort ends it early. Never rejects. */
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

/** Whether `work` is over within `ms` milliseconds, however it ends. Never rejects. */
export async function isOverWithin(ms: number, work: PromiseLike<unknown>): Promise<boolean> {
  const stopped = new AbortController();
  const over = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  return Promise.race([over, pause(ms, stopped.signal).then(() => false)]).finally(() => stopped.abort());
}
