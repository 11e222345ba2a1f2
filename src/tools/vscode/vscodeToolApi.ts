import * as vscode from 'vscode';
import type { Settings } from '../../core/settings/settings';
import { readExamples } from '../../core/settings/toolExamples';
import { loadingHint } from '../loadingHint';
import type { ListedTool } from '../toolOrigin';
import type { VscodeMcpConfig } from './mcpConfig';
import type { VscodeToolApi } from './vscodeToolProvider';

/** Creates the functions of VS Code that the tool provider uses. */
export function createVscodeToolApi(config: VscodeMcpConfig, settings: () => Settings): VscodeToolApi {
  return {
    listTools: () => vscode.lm.tools.map(toListedTool),
    configuredServers: () => config.servers,
    exampleRules: () => settings().examples,
    trusted: () => vscode.workspace.isTrusted,
    autostart: () => vscode.workspace.getConfiguration('chat.mcp').get('autostart') !== 'never',
    startServers: async (asked, only) => {
      // Undocumented. With `only-new`, VS Code asks for trust only in servers that it hasn't asked about; the user's
      // own command also asks about refused ones.
      const promptType = asked === 'byUser' ? 'all-untrusted' : 'only-new';
      const start = (id: string) =>
        vscode.commands.executeCommand('workbench.mcp.startServer', id, { waitForLiveTools: true, promptType });
      if (only === undefined) await start('*');
      else if (config.idsOf(only).length === 0) await config.show(only);
      else await Promise.all(config.idsOf(only).map(start));
    },
  };
}

function toListedTool(tool: vscode.LanguageModelToolInformation): ListedTool {
  // Fields that exist at run time, but not in VS Code's typings.
  const untyped = tool as { readonly fullReferenceName?: unknown; readonly _meta?: Parameters<typeof loadingHint>[0] };
  const examples = readExamples(untyped._meta?.examples);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    tags: tool.tags,
    ...(typeof untyped.fullReferenceName === 'string' ? { fullReferenceName: untyped.fullReferenceName } : {}),
    ...loadingHint(untyped._meta),
    ...(examples.length > 0 ? { examples } : {}),
  };
}
