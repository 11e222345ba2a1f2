import * as vscode from 'vscode';

/** How long a piece of long work may block the extension host, in milliseconds. */
const SLICE_MS = 10;

/** Does long work in slices between which the event loop runs, and shows a progress indicator. */
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
      await new Promise(setImmediate);
    }
  });
}
