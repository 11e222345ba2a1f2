import * as vscode from 'vscode';
import { onAbort } from '../core/util/signals';

/** Does what VS Code cancels with a token of its own, for as long as it takes. */
export async function withToken<Value>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => PromiseLike<Value>,
): Promise<Value> {
  const source = new vscode.CancellationTokenSource();
  const stop = onAbort(signal, () => source.cancel());
  try {
    return await work(source.token);
  } finally {
    stop();
    source.dispose();
  }
}
