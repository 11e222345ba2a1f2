import * as vscode from 'vscode';
import { isOverWithin, pause } from '../core/util/timers';

/** The interval at which a window is checked, and the time that it has to answer. */
const ASK_EVERY_MS = 10_000;
const ANSWER_MS = 20_000;

/**
 * Runs a harmless command in the window to test whether it answers. After a browser window is reloaded or closed, the
 * extension host keeps running for a while.
 */
const askWindow = () => vscode.commands.executeCommand('setContext', 'toolsearch.alive', true);

/** Runs work with a signal that aborts when the given signal aborts or the window stops answering. */
export async function whileWindowOpen<Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const done = new AbortController();
  void (async () => {
    while (!done.signal.aborted && !gone.signal.aborted) {
      await pause(ASK_EVERY_MS, done.signal);
      if (!done.signal.aborted && !(await isOverWithin(ANSWER_MS, askWindow()))) gone.abort();
    }
  })();
  try {
    return await work(AbortSignal.any([signal, gone.signal]));
  } finally {
    done.abort();
  }
}
