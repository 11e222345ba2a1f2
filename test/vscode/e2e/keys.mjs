import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { KEYS } from '../../standin/server.mjs';
import { ask, newChat } from '../harness/chat.mjs';
import { filesWith } from '../harness/files.mjs';
import { until } from '../harness/wait.mjs';
import { command, inspectorText, openInspector, untilNotified } from '../harness/workbench.mjs';
import { begin, CLAUDE, GPT, manageKey, offered, typeKey, withKey } from './services.mjs';

/** A model that only this test uses: after a refusal, Tool Search asks for no counts of the model for a minute. */
const REFUSED = 'toolsearch-anthropic/claude-haiku-4-5';
const WRONG = 'sk-ant-wrong-5e81d0';

const gone = (session, model) => until(`${model} to be gone`, async () => !(await session.models()).includes(model));

/**
 * Scenarios that share a VS Code with others, and run before those that need keys. They begin without keys and end with
 * one for each service.
 */
export const keys = (scenario) =>
  describe('API keys', () => {
    scenario('without one there are no models of the services', async (session) => {
      const models = await session.models();
      assert.ok(!models.some((model) => /^toolsearch-/.test(model)), `${models}`);
    });

    scenario('a wrong key is reported when it is set and in chat', async (session) => {
      await manageKey(session, 'Anthropic', 'Set Key');
      await typeKey(session.page, WRONG);
      await untilNotified(session.page, /can’t be used: Anthropic refused the key/);
      await offered(session, REFUSED);
      await session.chooseModel(REFUSED);
      const { text } = await ask(session.page, '@toolsearch get-sum a=2 b=40');
      assert.match(text, /refused the API key.*Manage API Keys/s);
    });

    scenario('a right one works at once, and can be tested', async (session) => {
      await manageKey(session, 'Anthropic', 'Set Key');
      await typeKey(session.page, KEYS.anthropic);
      await untilNotified(session.page, /Anthropic takes the key/);
      await newChat(session.page);
      await session.chooseModel(CLAUDE);
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
      assert.match(report.answer, /42/);
      await manageKey(session, 'Anthropic', 'Test Key');
      await untilNotified(session.page, /Anthropic takes the key/);
    });

    scenario('one of Manage Language Models offers the same models once', async (session) => {
      const { page } = session;
      await command(page, 'Chat: Manage Language Models');
      const name = page.locator('.quick-input-widget input[type="text"]').first();
      const entry = page.locator('.monaco-menu .action-item', { hasText: 'OpenAI with Tool Search' }).first();
      // VS Code's menus ignore a click that comes too soon, and close when something else takes the focus.
      await until('VS Code to ask for a name', async () => {
        if (await name.isVisible()) return true;
        const wanted = (await entry.isVisible()) ? entry : page.getByText('Add Models', { exact: true }).first();
        await wanted.click({ timeout: 1_000 }).catch(() => {});
        return name.isVisible();
      });
      await name.fill('Mine');
      await page.keyboard.press('Enter');
      await typeKey(page, KEYS.openai);
      await page.keyboard.press('Escape');
      await offered(session, GPT);
      const models = (await session.models()).filter((model) => model.startsWith('toolsearch-openai/'));
      assert.equal(new Set(models).size, models.length, `${models}`);
      await newChat(page);
      await session.chooseModel(GPT);
      const report = await session.reportOf(() => ask(page, '@toolsearch get-sum a=3 b=40'));
      assert.match(report.answer, /43/);
      assert.equal(report.model, GPT);
    });
  });

/** Scenarios that run after those that used the keys. */
export const keysUsed = (scenario) =>
  describe('API keys that were used', () => {
    scenario('no key is in logs, settings, chats, ledger or inspector', async (session) => {
      await begin(session, GPT);
      await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=4 b=40'));
      await session.untilSaved();
      await openInspector(session);
      const shown = `${await inspectorText(session.page)}${await session.page.evaluate(() => document.body.innerText)}`;
      for (const key of [KEYS.anthropic, KEYS.openai, WRONG]) {
        assert.ok(!shown.includes(key));
        assert.deepEqual(filesWith(session.server.folder, key), []);
        assert.ok(!(await session.reports()).some((report) => JSON.stringify(report).includes(key)));
      }
    });
  });

/** Scenarios that run last: they leave no models of Claude. */
export const keysRemoved = (scenario) =>
  describe('an API key', () => {
    scenario('takes its models with it when it is removed', async (session) => {
      await withKey(session, CLAUDE);
      await manageKey(session, 'Anthropic', 'Remove Key');
      await gone(session, CLAUDE);
    });
  });
