import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { faultyServer, writeBelow, writeServers } from '../harness/files.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { inspector, openInspector, tab } from '../harness/workbench.mjs';
import { CLAUDE, GPT } from './services.mjs';
import { inOrder, OWN_HOST, useVscode } from './vscode.mjs';

const FILE = 'both.code-workspace';
const FOLDERS = { api: 'one', web: 'two' };
const SETTINGS = { 'toolsearch.eagerTools': { one: ['add'] }, 'toolsearch.deferredTools': { two: ['echo'] } };

/** Writes a workspace of two folders, each with a server of its own. Returns the path of its file. */
function writeWorkspace(root) {
  for (const [name, server] of Object.entries(FOLDERS))
    writeServers(path.join(root, name), { [server]: faultyServer(server, root) });
  const folders = Object.keys(FOLDERS).map((name) => ({ path: name }));
  writeBelow(root, FILE, JSON.stringify({ folders, settings: SETTINGS }));
  return path.join(root, FILE);
}

describe('a workspace of two folders', () => {
  const root = temporaryFolder('two-folders');
  after(() => root.remove());
  const settings = { 'chat.mcp.autostart': 'never', 'toolsearch.mode': 'on' };
  const scenario = inOrder(useVscode({ workspace: writeWorkspace(root.path), settings, standIn: 'with keys' }));

  scenario('has the models of a service whose key is in the environment', async (session) => {
    const models = await session.models();
    for (const model of [CLAUDE, GPT]) assert.ok(models.includes(model), `${models}`);
  });

  scenario('starts one server alone from its row in the inspector', async (session) => {
    const { page } = session;
    await openInspector(session);
    await tab(page, 'Tools').click();
    assert.deepEqual(faultyServers(root.path), []);
    const row = (name) => inspector(page).locator('.tr.s', { hasText: name });
    await row('two').getByRole('button', { name: 'Start' }).click();
    await row('two').getByRole('img', { name: 'running' }).waitFor();
    assert.deepEqual(faultyServers(root.path), ['two']);
    assert.ok(await row('one').getByRole('button', { name: 'Start' }).isVisible());
  });

  scenario('has the servers of both folders', async (session) => {
    // Only the tools of these servers are counted.
    await session.changeSettings({ ...OWN_HOST, 'toolsearch.scope': 'mcp' });
    const report = await session.reportOf(() => ask(session.page, '@toolsearch two_echo {"text": "hi"}'));
    assert.match(report.answer, /two: hi/);
    // In “one”, the workspace's choice and the tool that the server itself marks are eager. “two” has as many tools, and
    // only one of them is deferred.
    const each = (report.eager + report.deferred) / 2;
    assert.equal(report.eager, 2 + (each - 1));
    assert.deepEqual(report.discovered, ['two/echo']);
  });
});
