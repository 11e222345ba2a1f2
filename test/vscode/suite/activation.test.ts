import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateToolSearch, until } from './toolSearch';

describe('activation', () => {
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
    await activateToolSearch();
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
});
