import * as vscode from 'vscode';
import { readExamples } from '../../core/settings/examples';
import type { Settings } from '../../core/settings/settings';
import type { ListedTool } from '../toolOrigin';
import type { ToolHost } from '../vscodeSource';
import type { VscodeMcpConfig } from './mcpConfig';

/** What tools have at run time beyond the typings of VS Code. */
interface UntypedToolInformation {
  readonly fullReferenceName?: unknown;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** VS Code as the source of tools. */
export function createVscodeToolHost(config: VscodeMcpConfig, settings: () => Settings): ToolHost {
  /** Does it with each entry of that name; where none is known, the user is shown what there is. */
  const each = async (name: string, act: (id: string) => Thenable<unknown>) => {
    const ids = config.idsOf(name);
    if (ids.length === 0) await config.show(name);
    else await Promise.all(ids.map(act));
  };
  return {
    listTools: () => vscode.lm.tools.map(toListedTool),
    configuredServers: () => config.servers,
    exampleRules: settings,
    trusted: () => vscode.workspace.isTrusted,
    autostart: () => vscode.workspace.getConfiguration('chat.mcp').get('autostart') !== 'never',
    startServers: async (asked, only) => {
      // Undocumented. A question asks about trust for servers the user has not been asked about before; the user's own
      // command asks again about those that were refused.
      const promptType = asked === 'byUser' ? 'all-untrusted' : 'only-new';
      const start = (id: string) => vscode.commands.executeCommand('workbench.mcp.startServer', id, { waitForLiveTools: true, promptType });
      await (only === undefined ? start('*') : each(only, start));
    },
    // Undocumented too. It shows the server's output, which says why it failed.
    restartServer: (name) =>
      each(name, (id) => vscode.commands.executeCommand('workbench.mcp.restartServer', id, { promptType: 'all-untrusted' })),
  };
}

function toListedTool(tool: vscode.LanguageModelToolInformation): ListedTool {
  const untyped = tool as vscode.LanguageModelToolInformation & UntypedToolInformation;
  const examples = readExamples(untyped._meta?.examples);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    tags: tool.tags,
    ...(typeof untyped.fullReferenceName === 'string' ? { fullReferenceName: untyped.fullReferenceName } : {}),
    ...(untyped._meta?.['anthropic/alwaysLoad'] === true ? { alwaysLoad: true } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  };
}
