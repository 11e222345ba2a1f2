import * as vscode from 'vscode';
import { onAbort } from '../core/util/signals';

/** Runs work with a cancellation token of VS Code that is cancelled when the signal aborts. */
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

/** Runs work with a signal that aborts when VS Code's token is cancelled. */
export async function withSignal<Value>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  const listening = token.onCancellationRequested(() => abort.abort());
  try {
    return await work(abort.signal);
  } finally {
    listening.dispose();
  }
}
