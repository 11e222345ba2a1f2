import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, newChat } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { untilNotified } from '../harness/workbench.mjs';

/** A scenario that shares a VS Code with others, and comes before any question. The extension of docs/examples is there. */
export const exampleExtension = (scenario) =>
  describe('the example extension', () => {
    scenario('searches and reports', async (session) => {
      await session.changeSettings({ 'toolsearch.strategy': 'careful', 'toolsearch.mode': 'on' });
      await until('its command', () =>
        session.run('carefulTools.lastReport').then(
          () => true,
          () => false,
        ),
      );
      await untilNotified(session.page, 'No question has been asked yet.');
      // Starts the servers, which may be slower than a question waits for them.
      await ask(session.page, '@toolsearch /tools');
      await until('the tool', async () => (await session.tools()).some((tool) => tool.includes('get-sum')));
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
      assert.match(report.answer, /sum of 2 and 40 is 42/);
      assert.equal(report.strategy, 'careful');
      assert.deepEqual(
        report.calls.map(({ tool, outcome }) => [tool, outcome]),
        [['everything/get-sum', 'ok']],
      );
      await session.run('carefulTools.lastReport');
      await untilNotified(session.page, '1 calls (0 invalid');
      await session.changeSettings({ 'toolsearch.strategy': null, 'toolsearch.mode': null });
      await newChat(session.page);
    });
  });
