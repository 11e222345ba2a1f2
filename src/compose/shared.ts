import * as vscode from 'vscode';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { secretFreeLog } from '../vscode/secretFreeLog';
import { StoredData } from '../vscode/storedData';

/** The objects that every `compose` function receives. */
export interface Shared {
  /** The extension's context. Its subscriptions dispose of everything. */
  readonly context: vscode.ExtensionContext;
  /** The extension's data on this machine, without settings. */
  readonly stored: StoredData;
  readonly log: vscode.LogOutputChannel;
  /** All known secrets. Code that learns a secret adds it here. Texts that leave the window are redacted with them. */
  readonly secrets: KnownSecrets;
  /** Writes a warning to the log, as one line. */
  readonly warn: (message: string) => void;
  /** Resolves when the stored files have been read, for code that needs tools or earlier turns. Never rejects. */
  readonly started: () => Promise<void>;
  /** Functions that end work before the window closes. VS Code waits a few seconds for them. */
  readonly closing: (() => Promise<void>)[];
}

export function createStored(context: vscode.ExtensionContext): StoredData {
  return new StoredData(context);
}

/** Creates the extension's log. Secrets are removed from its lines. */
export function createLog(secrets: KnownSecrets): vscode.LogOutputChannel {
  return secretFreeLog(vscode.window.createOutputChannel('Tool Search', { log: true }), secrets.redact);
}
