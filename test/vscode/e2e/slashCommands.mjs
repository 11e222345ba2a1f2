import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';

/** Scenarios that share a VS Code with others. Unit tests cover the commands' answers in detail. */
export const slashCommands = (scenario) =>
  describe('slash commands of @toolsearch', () => {
    scenario('/tools lists the servers that VS Code started, with their tools', async ({ page }) => {
      const { text } = await ask(page, '@toolsearch /tools');
      const servers = 'chrome-devtools everything filesystem github memory playwright sequential-thinking'.split(' ');
      for (const server of servers) assert.match(text, new RegExp(`${server} running`), `of ${server}`);
      assert.match(text, /\d+ deferred/);
    });

    scenario('/find finds VS Code’s own tools too', async (session) => {
      const { text } = await ask(session.page, '@toolsearch /find rename a symbol in the code');
      assert.match(text, /vscode\/\w*rename/i);
    });

    scenario('/pin puts a tool into every request, /unpin undoes it', async (session) => {
      await ask(session.page, '@toolsearch /pin memory/read_graph');
      const pinned = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
      assert.equal(pinned.eager, 1);
      await ask(session.page, '@toolsearch /unpin memory/read_graph');
      const unpinned = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
      assert.equal(unpinned.eager, 0);
    });

    scenario('/notools answers one question without a call', async (session) => {
      const report = await session.reportOf(() => ask(session.page, '@toolsearch /notools get-sum a=2 b=40'));
      assert.doesNotMatch(report.answer, /\b42\b/);
      const next = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
      assert.match(next.answer, /\b42\b/);
    });
  });
