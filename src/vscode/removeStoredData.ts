import * as vscode from 'vscode';
import type { StoredData } from './storedData';

/** Asks the user, deletes the data, and offers next steps. */
export async function removeStoredData(stored: StoredData, resetSettings: () => Promise<void>): Promise<void> {
  const data = vscode.l10n.t('Remove Data');
  const all = vscode.l10n.t('Remove Data and User Settings');
  const detail = vscode.l10n.t(
    'This removes the keys, tokens and answers to inputs of mcp.json from the secret storage, and the pins, turns and known tools of all workspaces. Close other windows first, because they keep their own data. Chats belong to VS Code and aren’t removed.',
  );
  const question = vscode.l10n.t('Remove all that Tool Search keeps on this machine?');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, data, all);
  if (answer !== data && answer !== all) return;
  await stored.forget();
  if (answer === all) await resetSettings();
  const uninstall = vscode.l10n.t('Uninstall');
  const reload = vscode.l10n.t('Reload Window');
  const next = await vscode.window.showInformationMessage(
    vscode.l10n.t('Everything is removed. Nothing more is kept until the window reloads.'),
    uninstall,
    reload,
  );
  if (next === uninstall) await vscode.commands.executeCommand('workbench.extensions.uninstallExtension', stored.owner);
  if (next === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
