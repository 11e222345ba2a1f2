import { isOverWithin, pause } from '../../core/util/signals';

/** A step that hangs doesn't hold up those after it for longer. In milliseconds. */
const LONGEST_STEP_MS = 5_000;

/** Resolves when the last step that is waiting is done. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a step of starting a server after the steps before it, with room for other work in between. Starting a process
 * blocks this one until the new program runs, some 20 ms on a busy machine: twenty servers in a row would be half a
 * second.
 * @param longestMs how long the next step waits for this one
 */
export function startOneByOne<Started>(step: () => Started, longestMs = LONGEST_STEP_MS): Promise<Awaited<Started>> {
  // Not setImmediate: the first one would follow at once, with nothing in between.
  const begun = last.then(() => pause(0));
  const started = begun.then(step);
  last = begun.then(() => isOverWithin(longestMs, started));
  return started as Promise<Awaited<Started>>;
}
