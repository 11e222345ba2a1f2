/** Prints progress to stderr. stdout is for results, so that `--json` can be piped. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Formats milliseconds for people: `8.0 s`. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Prints a title, does the work, and prints how long it took. */
export async function step(title, work) {
  say(`› ${title} …`);
  const start = Date.now();
  const result = await work();
  say(`  done in ${seconds(Date.now() - start)}`);
  return result;
}

/** A mistake that the user can correct. Only its message is shown, without a stack. */
export class UserError extends Error {
  expected = true;
}

/** The exit code with which a shell reports a process that Ctrl+C ended. */
const INTERRUPTED = 130;
let interrupted = () => process.exit(INTERRUPTED);

/** Sets the action of Ctrl+C from now on, instead of ending the process at once. */
export function onInterrupt(act) {
  interrupted = act;
}

/**
 * Runs a script's main function. An error ends it with code 1, and is one sentence if the user can correct it.
 * Signals end the process through `process.exit`, so that child processes and temporary folders are cleaned up.
 */
export async function main(work) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted());
  try {
    await work();
  } catch (error) {
    say(error?.expected ? `Error: ${error.message}` : (error?.stack ?? String(error)));
    process.exitCode = 1;
  }
}
