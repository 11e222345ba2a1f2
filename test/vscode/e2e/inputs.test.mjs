import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask, chatView, isAnswered, shown, submit } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { command, pick, quickPickRows, reload } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

const SECRET = 's3cret-of-a-test';

/** A server that needs two answers of the user: it calls itself by them. */
function writeServer(folder) {
  const args = [path.join(ROOT, 'test/fixtures/faultyServer.mjs'), '${input:size}-${input:token}'];
  const inputs = [
    { id: 'size', type: 'pickString', description: 'How large', options: ['small', 'large'] },
    { id: 'token', type: 'promptString', description: 'Your token', password: true },
  ];
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ inputs, servers: { one: { command: process.execPath, args } } }));
}

describe('a server that asks for inputs', () => {
  const folder = temporaryFolder('inputs');
  after(() => folder.remove());
  writeServer(folder.path);
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
