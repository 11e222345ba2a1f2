import type * as vscode from 'vscode';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { StoredData } from '../vscode/storedData';

/** What every composer is handed. */
export interface Shared {
  /** What is to be disposed goes into its subscriptions. */
  readonly context: vscode.ExtensionContext;
  /** All that is kept on this machine besides settings. */
  readonly stored: StoredData;
  readonly log: vscode.LogOutputChannel;
  /** All that is known to be secret. Who gets to know one adds it; what leaves the window goes through it. */
  readonly secrets: KnownSecrets;
  /** Into the log, as one line. */
  readonly warn: (message: string) => void;
  /** Resolves once files are read; what needs the tools or the turns of before waits for it. It never rejects. */
  readonly started: () => Promise<void>;
  /** What must be over before a window has closed; VS Code waits for it for a few seconds. */
  readonly closing: (() => Promise<void>)[];
}

/** What is kept on this machine for this window. */
export function createStored(context: vscode.ExtensionContext): StoredData {
  return new StoredData(context);
}
