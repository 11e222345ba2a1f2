import * as vscode from 'vscode';
import { messageOf } from '../core/util/messageOf';

/** The maximum size of a file that is read, in bytes. Claude Code's file also contains its history. */
const MAX_BYTES = 32_000_000;
/** For a file that changes meanwhile. */
const TRIES = 3;

/**
 * Reads a whole configuration file. Returns its text, or a sentence on why it can't be read, or neither if it doesn't
 * exist. Devices and pipes are never read, since they may have no end.
 */
export async function readConfigText(
  uri: vscode.Uri,
  maxBytes = MAX_BYTES,
): Promise<{ readonly text?: string; readonly problem?: string }> {
  const { fs } = vscode.workspace;
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await fs.stat(uri);
      if ((before.type & vscode.FileType.File) === 0)
        return { problem: vscode.l10n.t('It can’t be read because it isn’t a regular file.') };
      if (before.size > maxBytes)
        return { problem: vscode.l10n.t('It isn’t read because it has more than {0} MB.', maxBytes / 1_000_000) };
      const bytes = await fs.readFile(uri);
      const after = await fs.stat(uri);
      if (after.mtime === before.mtime && after.size === before.size) return { text: new TextDecoder().decode(bytes) };
    }
    return { problem: vscode.l10n.t('It can’t be read because it keeps changing.') };
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'FileNotFound' || code === 'FileNotADirectory') return {};
    return { problem: vscode.l10n.t('It can’t be read: {0}', messageOf(error)) };
  }
}

/** Opens the workspace's `mcp.json`. If it doesn't exist, an empty one is created. */
export async function openMcpJson(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error(vscode.l10n.t('Open a folder first: mcp.json is in its .vscode folder.'));
  const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "servers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(uri);
}
