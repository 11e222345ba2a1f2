import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, newChat } from '../harness/chat.mjs';
import { command, inspector, openInspector, untilInspectorShows, untilNotified } from '../harness/workbench.mjs';

const TOOL = 'filesystem/search_files';
const NEED = 'find every log file below the project folder';
const ARGS = { path: '.vscode', pattern: '*.json' };

/** In the VS Code of other scenarios. */
export const learning = (scenario) =>
  describe('learning from use', () => {
    let before;
    /** What "search only" calls: the first that a search finds, if its arguments stand in the question. */
    const firstFound = async (session) => {
      await newChat(session.page);
      const question = `@toolsearch ${NEED} path=${ARGS.path} pattern=${ARGS.pattern}`;
      return (await session.reportOf(() => ask(session.page, question))).calls.map(({ tool }) => tool);
    };

    scenario('the third question of a kind finds its tool first, and the inspector says why', async (session) => {
      before = await firstFound(session);
      assert.ok(!before.includes(TOOL), 'it is found first without having been used');
      const script = `await search(${JSON.stringify(NEED)}); return await tools.filesystem_search_files(${JSON.stringify(ARGS)});`;
      for (let time = 0; time < 2; time++) {
        const { calls } = await session.reportOf(() => ask(session.page, `@toolsearch run: ${script}`));
        assert.deepEqual(
          calls.map(({ tool, ok }) => [tool, ok]),
          [[TOOL, true]],
        );
      }
      assert.deepEqual(await firstFound(session), [TOOL]);
      await openInspector(session.page);
      await inspector(session.page)
        .getByRole('tab', { name: /^Timeline/ })
        .click();
      await untilInspectorShows(session.page, /\+0\.\d\d, asked 2 times with .*log/);
    });

    scenario('“Tool Search: Forget What Was Learnt” forgets it', async (session) => {
      await command(session.page, 'Tool Search: Forget What Was Learnt');
      await untilNotified(session.page, 'Forgot the words that 1 tool was asked for with in this workspace.');
      assert.deepEqual(await firstFound(session), before);
    });
  });
