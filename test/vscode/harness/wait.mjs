import { readFile } from 'node:fs/promises';

const POLL_MS = 150;
/** A long timeout, since a late event on a busy machine is no failure. */
export const TIMEOUT_MS = 120_000;

/**
 * Polls `look` until it returns something truthy, and returns that. `what` completes the error "waited for …": a
 * string, or a function if the text is only known at the end.
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

/** The value of a JSON file once it is complete. VS Code writes files in place, so a reader may see a part. */
export const untilJson = (file) =>
  until(`${file} to be written`, () =>
    readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined),
  );
