import { isOverWithin, pause } from '../../../core/util/timers';

/** The maximum time for which a step delays the next one. */
const LONGEST_STEP_MS = 5_000;

/** Resolves when the last step in the queue is done. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the steps of starting servers one after another, with other work between them. Starting a process blocks this
 * process for about 20 ms on a busy machine, so twenty servers at once would take half a second.
 */
export function startOneByOne<Started>(step: () => Started): Promise<Awaited<Started>> {
  // With setImmediate, the first step would run at once, without other work before it.
  const begun = last.then(() => pause(0));
  const started = begun.then(step);
  last = begun.then(() => isOverWithin(LONGEST_STEP_MS, started));
  return started as Promise<Awaited<Started>>;
}
