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
  /** All known secrets. Code that learns a secret adds it; every text that leaves the window is redacted with them. */
  readonly secrets: KnownSecrets;
  /** Writes a warning to the log, as one line. */
  readonly warn: (message: string) => void;
  /**
   * Resolves once the stored files are read. Code that needs the tools or earlier turns waits for it. Never rejects.
   */
  readonly started: () => Promise<void>;
  /** Work that must end before the window closes; VS Code waits for it for a few seconds. */
  readonly closing: (() => Promise<void>)[];
}

/** The data that is kept on this machine for this window. */
export function createStored(context: vscode.ExtensionContext): StoredData {
  return new StoredData(context);
}
