import * as vscode from 'vscode';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';

/** The maximum time that one slice blocks the extension host, in milliseconds. */
const SLICE_MS = 10;

/** Does long work in slices, with a progress indicator. The event loop runs between slices. */
export async function inSlices<Piece, Result>(
  title: string,
  work: Generator<Piece, Result>,
  take: (piece: Piece) => void,
): Promise<Result> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
    for (;;) {
      const until = performance.now() + SLICE_MS;
      while (performance.now() < until) {
        const { done, value } = work.next();
        if (done) return value;
        take(value);
      }
      await yieldToEventLoop();
    }
  });
}
