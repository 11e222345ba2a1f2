import * as vscode from 'vscode';
import type { ToolSearchApi, ToolSearchExports } from '../../../tool-search';

const POLL_MS = 50;

/** The extension's API, once it is active. */
export async function activateToolSearch(): Promise<ToolSearchApi> {
  const extension = vscode.extensions.getExtension<ToolSearchExports>('tool-search.tool-search');
  if (!extension) throw new Error('The extension tool-search.tool-search is not installed.');
  return (await extension.activate()).getApi(1);
}

/**
 * Makes VS Code start the MCP servers of the workspace, without a chat, until the tools of one are listed. Asks again,
 * because a new window may not know its servers yet, and then starts none.
 */
export async function startServers(isListed: () => boolean): Promise<void> {
  await until(
    'the tools of the server',
    async () => {
      // Isn't awaited: a server that can't start never settles.
      if (!isListed())
        void vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
      return until('them', isListed, 5_000).catch(() => false);
    },
    80_000,
  );
}

/** Polls `look` until it returns something truthy. */
export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
  timeoutMs = 20_000,
): Promise<NonNullable<Found>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
