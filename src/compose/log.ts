import * as vscode from 'vscode';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { secretFreeLog } from '../vscode/secretFreeLog';

/** Creates the extension's log. Secrets are removed from its lines. */
export function createLog(secrets: KnownSecrets): vscode.LogOutputChannel {
  return secretFreeLog(vscode.window.createOutputChannel('Tool Search', { log: true }), secrets.redact);
}
