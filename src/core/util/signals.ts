/** Calls `run` after `ms` milliseconds. Returns a function that prevents the call. */
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

/** Calls `run` every `ms` milliseconds. Returns a function that ends the calls. */
export const every: Timer = (run, ms) => {
  const handle = setInterval(run, ms);
  return () => clearInterval(handle);
};

/** Calls `run` when the signal aborts, or at once if it already has. Returns a function that prevents the call. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
  return () => signal.removeEventListener('abort', run);
}

/** Settles like `work`, or rejects with the signal's reason once it aborts: SDKs and servers may not react to it. */
export function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  return Promise.race([aborted, work]).finally(stop);
}

/** Waits `ms` milliseconds, or until the signal aborts. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stop = () => {};
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal) stop = onAbort(signal, end);
  });
}

/** Whether `work` ends within `ms` milliseconds, successfully or not. Never rejects. */
export async function isOverWithin(ms: number, work: PromiseLike<unknown>): Promise<boolean> {
  const stopped = new AbortController();
  const over = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  return Promise.race([over, pause(ms, stopped.signal).then(() => false)]).finally(() => stopped.abort());
}
