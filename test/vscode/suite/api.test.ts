import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolSearchApi, TurnReport } from '../../../tool-search';
import { activateToolSearch, startServers, until } from './toolSearch';

describe('the API, used by another extension in a chat', () => {
  let api: ToolSearchApi;

  before(async () => {
    api = await activateToolSearch();
    startServers();
    await until('the tools of the fixture', () => vscode.lm.tools.some((tool) => tool.name === 'mcp_fixture_add'));
  });

  /** Asks in the chat view and waits for the turn's report. */
  async function ask(query: string): Promise<TurnReport> {
    let listening: vscode.Disposable | undefined;
    const ended = new Promise<TurnReport>((resolve) => {
      listening = api.onDidEndTurn(resolve);
    });
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query,
      modelSelector: { vendor: 'toolsearch', id: 'search-only' },
    });
    return ended.finally(() => listening?.dispose());
  }

  it('reports a turn', async function () {
    this.timeout(60_000);
    const report = await ask('@toolsearch add a=2 b=40');
    assert.equal(report.status, 'answered');
    assert.match(report.answer, /\b42\b/);
  });
});
