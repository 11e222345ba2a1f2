import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { untilWorkbench } from '../harness/browser.mjs';
import { ask, chatInput } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { command, inspector, openInspector, tab, untilInspector } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

const FAULTY = path.join(ROOT, 'test/fixtures/faultyServer.mjs');
const SETTINGS = {
  'toolsearch.mcp.host': 'extension',
  'toolsearch.mcp.shareProcesses': true,
  'toolsearch.scope': 'mcp',
  'chat.mcp.autostart': 'never',
  'toolsearch.mode': 'on',
};

describe('two windows of VS Code that share processes', () => {
  const folder = temporaryFolder('shared');
  after(() => folder.remove());
  mkdirSync(path.join(folder.path, '.vscode'), { recursive: true });
  const servers = { one: { command: process.execPath, args: [FAULTY, 'one', folder.path] } };
  writeFileSync(path.join(folder.path, '.vscode/mcp.json'), JSON.stringify({ servers }));
  const scenario = useVscode({ workspace: folder.path, settings: SETTINGS });

  scenario('have one server, and the second takes over from the first', async (session) => {
    const { page } = session;
    const pidIn = async (window) => /one: (\d+)/.exec((await ask(window, '@toolsearch one/pid {}')).text)?.[1];
    const pid = await pidIn(page);
    assert.ok(pid);
    await openInspector(session);

    const second = await page.context().newPage();
    await second.goto(session.server.address(folder.path));
    await untilWorkbench(second);
    await chatInput(second).waitFor();
    // Before the extension runs in this window, VS Code takes a question for Copilot.
    await command(second, 'Tool Search: Open Inspector');
    await untilInspector(second);
    assert.equal(await pidIn(second), pid);
    assert.deepEqual(faultyServers(folder.path), ['one']);
    for (const window of [page, second]) {
      await window.bringToFront();
      await tab(window, 'Tools').click();
      await inspector(window)
        .locator('.wide', { hasText: /shared by 2 windows · / })
        .first()
        .waitFor({ state: 'attached' });
    }

    // The window that runs the server is closed.
    await page.goto('about:blank');
    await until('the server to end', () => faultyServers(folder.path).length === 0);
    const next = await pidIn(second);
    assert.ok(next);
    assert.notEqual(next, pid);
    assert.deepEqual(faultyServers(folder.path), ['one']);
  });
});
