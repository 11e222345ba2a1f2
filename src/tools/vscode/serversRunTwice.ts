import * as vscode from 'vscode';
import type { Diagnostic } from '../../core/catalog/diagnostic';

/** Returns a problem if VS Code also starts the servers of `mcp.json`. A setting of VS Code can prevent that. */
export function serversRunTwice(): readonly Diagnostic[] {
  const settings = vscode.workspace.getConfiguration('chat.mcp');
  if (settings.get('access') === 'none' || settings.get('autostart') === 'never') return [];
  const message = vscode.l10n.t(
    'VS Code starts the servers of mcp.json too, so they run twice. Set chat.mcp.autostart to never, or chat.mcp.access to none.',
  );
  return [{ severity: 'warning', source: 'chat.mcp.autostart', message }];
}
