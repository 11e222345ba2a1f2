import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { listFiles } from '@vscode/vsce';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { packageExtension } from '../harness/vsix.mjs';
import { until } from '../harness/wait.mjs';
import { command } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

/** How far the README's figures may be off. */
const TOLERANCE = 0.1;

const near = (stated, bytes, what) =>
  assert.ok(
    Math.abs(stated * 1_000_000 - bytes) <= TOLERANCE * bytes,
    `The README says that ${what} has ${stated} MB; it has ${bytes} bytes.`,
  );

/** The files below a folder, as paths in it; a folder that is empty is one too. */
async function walk(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

test('the package is as large as the README says, and holds what it says', async () => {
  const vsix = process.env.TOOLSEARCH_VSIX ?? (await packageExtension());
  const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
  const [, whole] = /The package has ([\d.]+) MB/.exec(readme) ?? [];
  near(Number(whole), (await stat(vsix)).size, 'the package');
  const files = await listFiles({ cwd: ROOT, dependencies: false });
  const rows = [...readme.matchAll(/^\| `([\w/]+)\/` \| ([\d.]+) MB \|/gm)];
  for (const [, folder, stated] of rows) {
    const sizes = await Promise.all(files.filter((file) => file.startsWith(`${folder}/`)).map((file) => stat(path.join(ROOT, file))));
    near(
      Number(stated),
      sizes.reduce((sum, { size }) => sum + size, 0),
      folder,
    );
  }
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
  assert.deepEqual(rows.map(([, folder]) => folder).sort(), [...folders].sort());
});

describe('the package in a clean VS Code', () => {
  const scenario = useVscode({ fixture: 'crowd', settings: { 'toolsearch.mode': 'on', 'toolsearch.mcp.endpoint': true } });

  scenario('is uninstalled without a trace', async ({ page, server, reportOf }) => {
    await reportOf(() => ask(page, '@toolsearch get the invoice in accounting {"number": "I-9"}'));
    const ours = async () => (await walk(server.userData)).filter((file) => /tool-?search/i.test(file) && !file.startsWith('logs'));
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
