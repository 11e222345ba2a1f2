import { onAbort } from './signals';

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
