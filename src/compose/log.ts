import * as vscode from 'vscode';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { secretFreeLog } from '../vscode/secretFreeLog';

/** The extension's log, into which no secret is written. */
export function createLog(secrets: KnownSecrets): vscode.LogOutputChannel {
  return secretFreeLog(vscode.window.createOutputChannel('Tool Search', { log: true }), secrets.redact);
}
