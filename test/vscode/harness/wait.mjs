const POLL_MS = 50;

/**
 * Polls `look` until it returns something truthy, and returns that. `what` completes "waited for …" where it doesn't come:
 * a string, or a function for what is only known then.
 */
export async function until(what, look, timeoutMs = 20_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${typeof what === 'function' ? await what() : what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
