import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { command } from '../harness/workbench.mjs';

/** The files below a folder, as relative paths. An empty folder is listed too. */
async function walk(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Scenarios that share a VS Code with others, and run after them. */
export const uninstall = (scenario) =>
  describe('the package', () => {
    scenario('is uninstalled without a trace', async (session) => {
      const { page, server } = session;
      await session.changeSettings({ 'toolsearch.mode': 'on', 'toolsearch.mcp.endpoint': true });
      await session.reportOf(() => ask(page, '@toolsearch get the invoice in accounting {"number": "I-9"}'));
      const ours = async () =>
        (await walk(server.userData)).filter((file) => /tool-?search/i.test(file) && !file.startsWith('logs'));
      await until('the turn to be kept', async () => (await ours()).some((file) => file.endsWith('turns.json')));
      assert.ok((await readdir(server.extensions)).some((name) => name.startsWith('tool-search.tool-search-')));

      await command(page, 'Tool Search: Remove All Stored Data');
      await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Remove Data and User Settings' }).click();
      await page.locator('.notification-toast .monaco-button', { hasText: 'Uninstall' }).click();
      await until('VS Code to have uninstalled it', async () => {
        return !(await server.command('--list-extensions')).includes('tool-search.tool-search');
      });
      assert.deepEqual(await ours(), []);
      assert.doesNotMatch(await readFile(path.join(server.userData, 'User/settings.json'), 'utf8'), /toolsearch\.m/);
    });
  });
