import * as vscode from 'vscode';

/** The workspace's `mcp.json`. */
export function mcpJson(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The suite needs a workspace folder.');
  return vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
}

export async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
