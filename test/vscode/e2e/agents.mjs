import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { answerConfirmation, ask, isAnswered, newChat, shown, submit } from '../harness/chat.mjs';
import { visibleText } from '../harness/text.mjs';
import { until } from '../harness/wait.mjs';

/** Has the agent call a tool twelve times at once from a script, and counts VS Code's questions to the user. */
async function askTwelve(page, tool, answer) {
  const code = `const all = await Promise.all(Array.from({ length: 12 }, (_, i) =>
    tools.${tool}.text({ number: "P-" + i }).then(() => "ok", (error) => error.outcome)));
    return [[...new Set(all)].join(), all.length];`;
  await submit(page, `@agent run: ${code.replace(/\s+/g, ' ')}`);
  const questions = [];
  await until(
    async () => `the answer. The chat shows: ${JSON.stringify(await shown(page))}`,
    async () => {
      const question = await answerConfirmation(page, answer);
      if (question) questions.push(question);
      return isAnswered(page);
    },
  );
  return {
    text: await shown(page),
    confirmations: questions.length,
    mostAtOnce: Math.max(...questions.map(({ open }) => open)),
    question: questions[0]?.asked,
  };
}

/** Scenarios that share a VS Code with others. */
export const agents = (scenario) =>
  describe('another agent with the tools of Tool Search alone', () => {
    const finds = scenario('finds one of 300 tools; VS Code asks once, by its name', async (session) => {
      const { page } = session;
      await newChat(page);
      await session.chooseModel('toolsearch/search-only');
      await submit(page, '@agent archive a voucher at the helpline {"number": "V-7"}');
      const confirmation = page
        .locator('.part.auxiliarybar .chat-confirmation-widget, .part.auxiliarybar .chat-tool-invocation-part')
        .last();
      const asked = await until(
        async () => `a confirmation. The chat shows: ${JSON.stringify(await shown(page))}`,
        async () => {
          const text = (await confirmation.count()) > 0 ? await visibleText(confirmation) : '';
          // VS Code draws the input after the buttons.
          return /Allow/.test(text) && /V-7/.test(text) && text;
        },
        60_000,
      );
      assert.match(asked, /archive_voucher/);
      assert.match(asked, /helpline/);
      let confirmations = 0;
      await until('the answer', async () => {
        if (await answerConfirmation(page, 'Allow')) confirmations++;
        return isAnswered(page);
      });
      assert.equal(confirmations, 1);
      const text = await shown(page);
      assert.match(text, /4 tools, found helpline_archive_voucher/);
      assert.match(text, /helpline did archive_voucher V-7/);
    });

    scenario('does not ask again in a script about a tool allowed before', async (session) => {
      const { page } = session;
      await finds(session);
      const code = `const all = await Promise.all(["V-1", "V-2"].map((number) => tools.helpline_archive_voucher.text({ number })));
      const read = await tools.accounting_get_invoice.text({ number: "I-3" });
      return [all.length, read.includes("I-3")];`;
      const { text, confirmations } = await ask(page, `@agent run: ${code.replace(/\s+/g, ' ')}`);
      assert.equal(confirmations, 0);
      assert.match(text, /\[2,true\]/);
    });

    scenario('asks one question at a time about twelve writes of a script', async ({ page }) => {
      const { text, confirmations, mostAtOnce, question } = await askTwelve(page, 'wholesale_update_parcel', 'Allow');
      assert.deepEqual([confirmations, mostAtOnce], [1, 1]);
      assert.match(question, /update_parcel/);
      assert.match(question, /wholesale/);
      assert.doesNotMatch(question, /run_code/);
      assert.match(text, /\["ok",12\]/);
    });

    scenario('is not asked again for a script once the user has skipped', async ({ page }) => {
      const { text, confirmations } = await askTwelve(page, 'wholesale_delete_parcel', 'Skip');
      assert.equal(confirmations, 1);
      assert.match(text, /\["refused",12\]/);
    });
  });
