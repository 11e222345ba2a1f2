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
