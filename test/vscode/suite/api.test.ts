import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OfferedTool, ToolSearchApi, TurnReport } from '../../../tool-search';
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

  it('filters what each round can know of', async function () {
    this.timeout(60_000);
    let seen: readonly OfferedTool[] = [];
    const rounds: string[] = [];
    const filter = api.prepareTools('suite', (tools, turn) => {
      seen = tools;
      rounds.push(`${turn.round}: ${turn.prompt}`);
      return tools.filter((tool) => tool.server === 'fixture').map((tool) => tool.id);
    });
    const report = await ask('@toolsearch add a=2 b=40');
    filter.dispose();
    assert.deepEqual(rounds, ['1: add a=2 b=40', '2: add a=2 b=40', '3: add a=2 b=40']);
    const fixtures = seen.filter((tool) => tool.server === 'fixture').length;
    assert.ok(fixtures > 0 && fixtures < seen.length);
    assert.equal(report.eager + report.deferred, fixtures);
    assert.match(report.answer, /\b42\b/);
  });

  it('goes on without a filter that throws', async function () {
    this.timeout(60_000);
    const filter = api.prepareTools('broken', () => {
      throw new Error('broken');
    });
    const report = await ask('@toolsearch add a=2 b=40');
    filter.dispose();
    assert.equal(report.status, 'answered');
    assert.match(report.answer, /\b42\b/);
  });
});
