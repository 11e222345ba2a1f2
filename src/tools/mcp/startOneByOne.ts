/** Resolves when the last step that is waiting is done. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does a step of starting a server once those before it are done, with room for all else in between. Starting a process holds this
 * one up until the new one runs its program, for some 20 ms on a busy machine: twenty servers in a row would be half a second.
 */
export function startOneByOne<Started>(step: () => Started): Promise<Awaited<Started>> {
  // Not setImmediate, the first of which would come right after what asked for it, with nothing in between.
  const started = last.then(() => new Promise<void>((resolve) => setTimeout(resolve))).then(step);
  last = started.catch(() => {});
  return started as Promise<Awaited<Started>>;
}
