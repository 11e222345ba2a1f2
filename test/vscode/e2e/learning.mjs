import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, newChat } from '../harness/chat.mjs';
import { command, openInspector, tab, untilInspectorShows, untilNotified } from '../harness/workbench.mjs';

const TOOL = 'filesystem/search_files';
const NEED = 'find every log file below the project folder';
const ARGS = { path: '.vscode', pattern: '*.json' };

/** In the VS Code of other scenarios. */
export const learning = (scenario) =>
  describe('learning from use', () => {
    /** Whether the tool comes before all others that words alone would find first. */
    const comesFirst = async ({ page }) => {
      const { text } = await ask(page, `@toolsearch /find ${NEED}`);
      const [at, other] = [text.indexOf('search_files'), text.indexOf('browser_find')];
      assert.ok(at >= 0 && other >= 0, text);
      return at < other;
    };

    scenario('the third similar question finds its tool first, with the reason', async (session) => {
      await newChat(session.page);
      assert.equal(await comesFirst(session), false);
      const script = `await search(${JSON.stringify(NEED)}); return await tools.filesystem_search_files(${JSON.stringify(ARGS)});`;
      for (let time = 0; time < 2; time++) {
        const { calls } = await session.reportOf(() => ask(session.page, `@toolsearch run: ${script}`));
        assert.deepEqual(
          calls.map(({ tool, ok }) => [tool, ok]),
          [[TOOL, true]],
        );
      }
      // "Search only" calls what its search finds first, if its arguments stand in the question.
      await newChat(session.page);
      const question = `@toolsearch ${NEED} path=${ARGS.path} pattern=${ARGS.pattern}`;
      const report = await session.reportOf(() => ask(session.page, question));
      assert.deepEqual(
        report.calls.map(({ tool }) => tool),
        [TOOL],
      );
      await openInspector(session);
      await tab(session.page, 'Timeline').click();
      await untilInspectorShows(session.page, /\+0\.\d\d, asked 2 times with .*log/);
    });

    scenario('“Tool Search: Forget Learned Words” forgets it', async (session) => {
      await command(session.page, 'Tool Search: Forget Learned Words');
      await untilNotified(session.page, 'Forgot the words that 1 tool was asked for with in this workspace.');
      assert.equal(await comesFirst(session), false);
    });
  });
