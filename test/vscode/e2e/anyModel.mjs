import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, cancel, newChat, shown, submit } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { command } from '../harness/workbench.mjs';

const PLAIN = 'limited/plain';
const WITH_SEARCH = 'toolsearch-others/limited/plain';
const QUESTION = 'get the invoice in accounting {"number": "I-9"}';

/** Scenarios that share a VS Code with others. */
export const anyModel = (scenario) =>
  describe('a model of another extension that takes 128 functions, over 360 tools', () => {
    scenario('is offered once with tool search, unless it can’t call tools', async (session) => {
      const models = await session.models();
      assert.deepEqual(
        models.filter((name) => name.startsWith('toolsearch-others')),
        [WITH_SEARCH],
      );
    });

    scenario('refuses the tools of a chat, and answers with tool search', async (session) => {
      const { page } = session;
      await session.chooseModel(PLAIN);
      assert.match((await ask(page, `@everytool ${QUESTION}`)).text, /At most 128 functions, not \d{3}/);
      await newChat(page);
      await session.chooseModel(WITH_SEARCH);
      const { text } = await ask(page, `@everytool ${QUESTION}`);
      assert.match(text, /accounting did get_invoice I-9, .*\(\d{1,2} functions\)/);
      assert.match(text, /Called \S*get_invoice\./);
    });

    scenario('gets images and cancelling, and its errors are shown', async (session) => {
      const { page } = session;
      await newChat(page);
      await session.chooseModel(WITH_SEARCH);
      assert.match((await ask(page, '@everytool fail')).text, /Failed as \w+: .*Out of memory/);
      await submit(page, '@everytool wait');
      await until('the answer to begin', async () => /I am waiting/.test(await shown(page)));
      await cancel(page);
      assert.match((await ask(page, '@everytool /picture tell')).text, /1 cancelled, 1 images/);
    });

    for (const mode of ['Agent', 'Edit', 'Ask']) {
      scenario(`answers in ${mode.toLowerCase()} mode, with all tools on`, async (session) => {
        const { page } = session;
        await newChat(page);
        await command(page, `Chat: Open Chat (${mode})`);
        await session.chooseModel(WITH_SEARCH);
        const { text } = await ask(page, QUESTION);
        assert.match(text, /accounting did get_invoice I-9, .*\(\d{1,2} functions\)/);
      });
    }
  });
