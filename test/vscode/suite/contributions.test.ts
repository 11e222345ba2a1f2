import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateToolSearch } from './toolSearch';

/** A file that an extension contributes to chats, as a command of VS Code reports it. */
interface PromptFile {
  readonly uri: { readonly path: string };
  readonly type: string;
  readonly extensionId: string;
}

describe('what chats get from the extension', () => {
  before(() => activateToolSearch());

  it('an agent and a skill are taken by VS Code', async () => {
    const all = await vscode.commands.executeCommand<readonly PromptFile[]>('_listExtensionPromptFiles');
    const ours = all.filter(({ extensionId }) => extensionId === 'tool-search.tool-search');
    assert.deepEqual(ours.map(({ type, uri }) => `${type} ${uri.path.split('/').slice(-2).join('/')}`).sort(), [
      'agent agents/tool-search.agent.md',
      'skill search-tools/SKILL.md',
    ]);
  });

  it('the tools that the agent names are there', async () => {
    const agent = await vscode.workspace.fs.readFile(
      vscode.Uri.joinPath(
        vscode.extensions.getExtension('tool-search.tool-search')?.extensionUri ?? vscode.Uri.file('/'),
        'chat/com.github.copilot/agents/tool-search.agent.md',
      ),
    );
    const named = [...new TextDecoder().decode(agent).matchAll(/toolsearch_\w+/g)].map(([name]) => name);
    const offered = new Set(vscode.lm.tools.map(({ name }) => name));
    for (const name of new Set(named)) assert.ok(offered.has(name), name);
  });
});
