// Scenarios of servers whose mcp.json asks the user for inputs.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe } from 'node:test';
import { ask, isAnswered, shown, submit, untilSaid } from '../harness/chat.mjs';
import { faultyServer, filesWith } from '../harness/files.mjs';
import { until, untilJson } from '../harness/wait.mjs';
import { chooseFile, command, pick, quickPickRows } from '../harness/workbench.mjs';

const SECRET = 's3cret-of-a-test';

/**
 * Servers for an `mcp.json` that need two answers of the user, with the inputs that ask for them. The servers use the
 * answers as their names and write them to their logs. `more` are further arguments.
 */
export function withInputs(names, more = []) {
  const given = '${input:size}-${input:token}';
  const server = faultyServer(given, '--say', given, ...more);
  const inputs = [
    { id: 'size', type: 'pickString', description: 'How large', options: ['small', 'large'] },
    { id: 'token', type: 'promptString', description: 'Your token', password: true },
  ];
  return { inputs, servers: Object.fromEntries(names.map((name) => [name, server])) };
}

const box = (page) => page.locator('.quick-input-widget');
const untilAsked = (page) =>
  until(
    async () => `the choice. The chat shows: ${JSON.stringify(await shown(page))}`,
    async () => (await quickPickRows(page).filter({ hasText: 'large', visible: true }).count()) === 1,
  );

/**
 * Scenarios that share a VS Code with others. The extension runs the servers of `folder`, and `write` replaces the
 * folder's `mcp.json`.
 */
export const inputs = (scenario, write) =>
  describe('a server that asks for inputs', () => {
    scenario('is not started if the user answers nothing, and says so', async ({ page }) => {
      write(withInputs(['given']));
      await submit(page, '@toolsearch given/add {"a": 2, "b": 40}');
      await untilAsked(page);
      await page.keyboard.press('Escape');
      await until('the answer', () => isAnswered(page));
      await untilSaid(page, /given \(failed\).*needs the input “size”, which you didn't give/s);
      // The server's entry has the input twice.
      assert.equal(await box(page).isVisible(), false, 'the user is asked again');
    });

    scenario('gets what the user chooses and types, without showing it', async (session) => {
      const { page } = session;
      await command(page, 'Tool Search: Refresh Catalog');
      await pick(page, 'large');
      const field = box(page).locator('input[type="password"]');
      await field.waitFor();
      assert.match(await box(page).innerText(), /MCP server given[\s\S]*Your token/);
      await field.fill(SECRET);
      await field.press('Enter');
      const report = await session.reportOf(() => ask(page, '@toolsearch given/add {"a": 2, "b": 40}'));
      // The server reports the input that it was given. The redaction shows that this input is the secret.
      assert.match(report.answer, /large-\[secret\]: 2 \+ 40 = 42/);
    });

    scenario('shares an answer with another server only with consent', async (session) => {
      const { page } = session;
      write(withInputs(['given', 'other']));
      const report = await session.reportOf(async () => {
        await submit(page, '@toolsearch other/add {"a": 4, "b": 5}');
        for (const about of ['How large', 'Your token']) {
          await box(page)
            .locator(`input[placeholder^="The server asks for “${about}”. You answered this before, for given."]`)
            .waitFor();
          await pick(page, 'Give the server the same answer');
        }
      });
      assert.match(report.answer, /large-\[secret\]: 4 \+ 5 = 9/);
    });
  });

/** Scenarios that run after those of {@link inputs} and a reload. */
export const inputsKept = (scenario, folder, write) =>
  describe('a server whose inputs were given', () => {
    scenario('is given the same after the reload, without a question', async (session) => {
      const report = await session.reportOf(() => ask(session.page, '@toolsearch given/add {"a": 20, "b": 3}'));
      assert.match(report.answer, /large-\[secret\]: 20 \+ 3 = 23/);
    });

    scenario('writes the secret into no chat, log, ledger or export', async (session) => {
      const { page } = session;
      const file = path.join(folder, 'session.json');
      await command(page, 'Tool Search: Export Session');
      await pick(page, 'everything that the inspector shows');
      await pick(page, 'With prompts and results');
      await chooseFile(page, 'Export Session', file);
      await untilJson(file);
      await session.untilSaved();
      assert.deepEqual(filesWith(folder, 'large-[secret]'), [file]);
      assert.deepEqual(filesWith(folder, SECRET), []);
      assert.deepEqual(filesWith(session.server.userData, SECRET), []);
      // Shows that the search works: it finds the same words without the secret.
      const found = filesWith(session.server.userData, 'large-[secret]').join('\n');
      assert.match(found, /chatSessions/);
      assert.match(found, /turns\.json/);
    });

    scenario('is asked about again once its inputs are forgotten', async (session) => {
      const { page } = session;
      await command(page, 'Tool Search: Forget MCP Inputs');
      await page.locator('.notification-toast', { hasText: 'Deleted 2 inputs of mcp.json' }).waitFor();
      // The running server needs no more answers, so its arguments have to change.
      write(withInputs(['given'], ['--tell']));
      await submit(page, '@toolsearch given/add {"a": 1, "b": 1}');
      await untilAsked(page);
      await page.keyboard.press('Escape');
      await until('the answer', () => isAnswered(page));
    });
  });
