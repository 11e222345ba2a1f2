import type * as vscode from 'vscode';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { StoredData } from '../vscode/storedData';

/** Objects that every composer receives. */
export interface Shared {
  /** Its subscriptions dispose of everything. */
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
  /** Work that must end before the window closes; VS Code waits for it for a few seconds. */
  readonly closing: (() => Promise<void>)[];
}

/** The data that is kept on this machine for this window. */
export function createStored(context: vscode.ExtensionContext): StoredData {
  return new StoredData(context);
}
