import * as vscode from 'vscode';
import { shortHash } from '../core/util/hash';
import { McpEndpoint } from '../ui/agents/mcpEndpoint';
import type { Shared } from './shared';
import type { Tools } from './tools';
import type { Turns } from './turns';

/** Creates the MCP server of this window, for agents outside VS Code's chat. */
export function composeEndpoint({ context, log, secrets, closing }: Shared, tools: Tools, turns: Turns): McpEndpoint {
  const { settings } = tools;
  const endpoint = new McpEndpoint({
    kept: context.storageUri && { storage: context.secrets, workspace: shortHash(context.storageUri.toString()) },
    version: String(context.extension.packageJSON.version),
    tools: turns.agents,
    // Bundled as a separate file: see esbuild.mjs.
    open: async (options) => (await import('../endpoint/endpoint')).openEndpoint(options),
    wanted: () => settings.current.mcpEndpoint && vscode.workspace.isTrusted,
    secrets,
    log: (line) => log.info(line),
  });
  closing.push(() => endpoint.close());
  context.subscriptions.push(
    endpoint,
    settings.onDidChange(() => endpoint.apply()),
    // The description of the search tool lists the servers, so it changes with the tools.
    { dispose: tools.source.onDidChange(() => endpoint.apply()) },
    vscode.workspace.onDidGrantWorkspaceTrust(() => endpoint.apply()),
  );
  return endpoint;
}
