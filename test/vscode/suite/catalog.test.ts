import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateToolSearch, startServers, until } from './toolSearch';

/** Tools of the fixture's server, as VS Code lists them. */
const fixtureTools = () =>
  vscode.lm.tools.filter((tool) => tool.tags.includes('mcp') && tool.name.startsWith('mcp_fixture_'));

describe('the workspace with the servers of bad days', () => {
  before(async () => {
    await activateToolSearch();
    startServers();
    await until('the tools of the fixture', () => fixtureTools().length > 0);
  });

  it('is started by VS Code itself, from .vscode/mcp.json', () => {
    assert.ok(fixtureTools().some((tool) => tool.name === 'mcp_fixture_add'));
  });

  it('runs a tool that only reads without asking', async () => {
    const result = await vscode.lm.invokeTool('mcp_fixture_add', {
      input: { a: 2, b: 40 },
      toolInvocationToken: undefined,
    });
    assert.equal((result.content[0] as vscode.LanguageModelTextPart).value, '2 + 40 = 42');
  });
});
