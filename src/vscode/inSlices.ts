import * as vscode from 'vscode';

/** Milliseconds that a piece of long work may hold the extension host up. */
const SLICE_MS = 10;

/** Does long work piece by piece and lets others go on in between; shows that it is under way. */
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
