import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TurnReport } from '../../../tool-search';
import { activateToolSearch, startServers, until } from './toolSearch';

/** A file that an extension contributes to chats, as a command of VS Code reports it. */
interface PromptFile {
  readonly uri: { readonly path: string };
  readonly type: string;
  readonly extensionId: string;
}

describe('the extension', () => {
  before(() => activateToolSearch());

  it('returns the API for other extensions', async () => {
    const api = await activateToolSearch();
    for (const name of ['registerStrategy', 'onDidEndTurn', 'lastReport'] as const)
      assert.equal(typeof api[name], 'function', name);
    assert.equal(api.lastReport(), undefined);
  });

  it('contributes every command of its manifest', async () => {
    const { packageJSON } = vscode.extensions.getExtension('tool-search.tool-search') ?? assert.fail('not installed');
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = packageJSON.contributes.commands
      .map(({ command }: { command: string }) => command)
      .filter((id: string) => !known.has(id));
    assert.deepEqual(missing, []);
  });

  it('works with proposed API switched off', () => {
    const languageModels = vscode.lm as unknown as { readonly mcpServerDefinitions: unknown };
    assert.throws(() => languageModels.mcpServerDefinitions, /CANNOT use API proposal/);
  });

  it('offers “Search only (no AI)” while toolsearch.searchOnlyModel is on', async () => {
    const offered = async () => (await vscode.lm.selectChatModels({ vendor: 'toolsearch', id: 'search-only' })).length;
    await until('the model to be offered', async () => (await offered()) === 1);
    const settings = vscode.workspace.getConfiguration('toolsearch');
    await settings.update('searchOnlyModel', 'off', vscode.ConfigurationTarget.Global);
    await until('the model to be withdrawn', async () => (await offered()) === 0);
    // This VS Code has no other model.
    await settings.update('searchOnlyModel', 'auto', vscode.ConfigurationTarget.Global);
    await until('the model to be offered again', async () => (await offered()) === 1);
    await settings.update('searchOnlyModel', 'on', vscode.ConfigurationTarget.Global);
  });

  it('reports a turn in a chat to other extensions', async function () {
    this.timeout(120_000);
    const api = await activateToolSearch();
    await startServers(() => vscode.lm.tools.some((tool) => tool.name === 'mcp_fixture_add'));
    const ended = new Promise<TurnReport>((resolve) => {
      const listening = api.onDidEndTurn((report) => {
        listening.dispose();
        resolve(report);
      });
    });
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: '@toolsearch add a=2 b=40',
      modelSelector: { vendor: 'toolsearch', id: 'search-only' },
    });
    const report = await ended;
    assert.equal(report.status, 'answered');
    assert.match(report.answer, /\b42\b/);
  });

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
