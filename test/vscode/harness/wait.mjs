import { readFile } from 'node:fs/promises';

const POLL_MS = 50;
/** What never comes is a failure, which may take its time; what comes late on a busy machine is none. */
const TIMEOUT_MS = 60_000;

/**
 * Polls `look` until it returns something truthy, and returns that. `what` completes "waited for …" where it doesn't come:
 * a string, or a function for what is only known then.
 */
export async function until(what, look, timeoutMs = TIMEOUT_MS) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline)
      throw new Error(`Waited ${timeoutMs / 1000} s for ${typeof what === 'function' ? await what() : what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** What a JSON file holds, once it is written as a whole: VS Code writes in place, so that a reader may come in between. */
export const untilJson = (file) =>
  until(`${file} to be written`, () =>
    readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined),
  );
