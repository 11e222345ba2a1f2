import { isOverWithin } from '../../core/util/signals';

/** A step that hangs doesn't hold up those after it for longer. In milliseconds. */
const LONGEST_STEP_MS = 5_000;

/** Resolves when the last step that is waiting is done. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does a step of starting a server once those before it are done, with room for all else in between. Starting a process holds this
 * one up until the new one runs its program, for some 20 ms on a busy machine: twenty servers in a row would be half a second.
 * @param longestMs how long those after it wait for it
 */
export function startOneByOne<Started>(step: () => Started, longestMs = LONGEST_STEP_MS): Promise<Awaited<Started>> {
  // Not setImmediate, the first of which would come right after what asked for it, with nothing in between.
  const begun = last.then(() => new Promise<void>((resolve) => setTimeout(resolve)));
  const started = begun.then(step);
  last = begun.then(() => isOverWithin(longestMs, started));
  return started as Promise<Awaited<Started>>;
}
