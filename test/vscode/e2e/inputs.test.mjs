import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask, chatView, isAnswered, shown, submit } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { chooseFile, command, pick, quickPickRows, reload } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

const SECRET = 's3cret-of-a-test';

/** Servers that need two answers of the user: they call themselves by them, and write them to their logs. */
function writeServers(folder, ...names) {
  const given = '${input:size}-${input:token}';
  const args = [path.join(ROOT, 'test/fixtures/faultyServer.mjs'), given, '--say', given];
  const inputs = [
    { id: 'size', type: 'pickString', description: 'How large', options: ['small', 'large'] },
    { id: 'token', type: 'promptString', description: 'Your token', password: true },
  ];
  const servers = Object.fromEntries(names.map((name) => [name, { command: process.execPath, args }]));
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ inputs, servers }));
}

/** Files below a folder that hold a text. */
function filesWith(text, folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => readFileSync(file).includes(text));
}

describe('a server that asks for inputs', () => {
  const folder = temporaryFolder('inputs');
  after(() => folder.remove());
  writeServers(folder.path, 'one');
  const settings = { 'toolsearch.mcp.host': 'extension', 'chat.mcp.autostart': 'never', 'toolsearch.mode': 'on' };
  const scenario = useVscode({ workspace: folder.path, settings });
  const box = (page) => page.locator('.quick-input-widget');

  scenario('is not started where the user answers nothing, and says so', async ({ page }) => {
    await submit(page, '@toolsearch one/add {"a": 2, "b": 40}');
    await until('the choice', async () => (await quickPickRows(page).filter({ hasText: 'large' }).count()) === 1);
    await page.keyboard.press('Escape');
    await until('the answer', () => isAnswered(page));
    assert.match(await shown(page), /one \(failed\).*needs the input “size”, which you haven't given/s);
  });

  scenario('gets what the user chooses and types, without showing it', async (session) => {
    const { page } = session;
    await command(page, 'Tool Search: Refresh Catalog');
    await pick(page, 'large');
    const field = box(page).locator('input[type="password"]');
    await field.waitFor();
    assert.match(await box(page).innerText(), /MCP server one[\s\S]*Your token/);
    await field.fill(SECRET);
    await field.press('Enter');
    const report = await session.reportOf(() => ask(page, '@toolsearch one/add {"a": 2, "b": 40}'));
    // The server says what it was given; that it is taken for the secret shows that it is.
    assert.match(report.answer, /large-\[secret\]: 2 \+ 40 = 42/);
  });

  scenario('is given the same after a reload, without a question', async (session) => {
    await reload(session);
    const report = await session.reportOf(() => ask(session.page, '@toolsearch one/add {"a": 20, "b": 3}'));
    assert.match(report.answer, /large-\[secret\]: 20 \+ 3 = 23/);
  });

  scenario('shows in the chat how far a call has come', async (session) => {
    await submit(session.page, '@toolsearch one/progress {"ms": 3000}');
    await chatView(session.page).getByText('one/progress: half way 1/2').waitFor();
    await until('the answer', () => isAnswered(session.page));
    assert.match(await shown(session.page), /:\sdone/);
  });

  scenario('shares what was typed with another server once the user has said so', async (session) => {
    const { page } = session;
    writeServers(folder.path, 'one', 'two');
    const report = await session.reportOf(async () => {
      await submit(page, '@toolsearch two/add {"a": 4, "b": 5}');
      for (const about of ['How large', 'Your token']) {
        await box(page).locator(`input[placeholder^="It wants “${about}”, which you answered for one."]`).waitFor();
        await pick(page, 'Give it the same answer');
      }
    });
    assert.match(report.answer, /large-\[secret\]: 4 \+ 5 = 9/);
  });

  scenario('has its secret in no file that VS Code or Tool Search writes: chats, logs, the ledger, an export', async (session) => {
    const { page } = session;
    const file = path.join(folder.path, 'session.json');
    await command(page, 'Tool Search: Export Session');
    await pick(page, 'can be opened again');
    await pick(page, 'With what was said');
    await chooseFile(page, 'Export Session', file);
    await until('the file to be written', () => filesWith('large-[secret]', folder.path).length === 1);
    await session.untilSaved();
    assert.deepEqual(filesWith(SECRET, folder.path), []);
    assert.deepEqual(filesWith(SECRET, session.server.userData), []);
    // What is looked for would be found: the same words stand there without the secret.
    const found = filesWith('large-[secret]', session.server.userData).join('\n');
    assert.match(found, /chatSessions/);
    assert.match(found, /turns\.json/);
  });

  scenario('is asked about again once its inputs are forgotten', async (session) => {
    const { page } = session;
    await command(page, 'Tool Search: Forget MCP Inputs');
    await page.locator('.notification-toast', { hasText: 'Forgot 2 inputs of mcp.json' }).waitFor();
    await reload(session);
    await submit(page, '@toolsearch one/add {"a": 1, "b": 1}');
    await until('the choice', async () => (await quickPickRows(page).filter({ hasText: 'large' }).count()) === 1);
    await page.keyboard.press('Escape');
    await until('the answer', () => isAnswered(page));
  });
});
