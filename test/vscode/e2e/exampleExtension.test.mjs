import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { openInspector, tab, untilInspectorShows, untilNotified } from '../harness/workbench.mjs';
import { inOrder, useVscode } from './vscode.mjs';

/** The example extension of docs/examples, installed beside Tool Search. */
describe('the example extension', () => {
  const scenario = inOrder(
    useVscode({
      extensions: ['docs/examples/extension'],
      settings: { 'toolsearch.strategy': 'careful', 'toolsearch.mode': 'on' },
    }),
  );
  const question = (session, prompt) => session.reportOf(() => ask(session.page, `@toolsearch ${prompt}`));

  scenario('searches and reports', async (session) => {
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
    const report = await question(session, 'get-sum a=2 b=40');
    assert.match(report.answer, /sum of 2 and 40 is 42/);
    assert.equal(report.strategy, 'careful');
    assert.deepEqual(
      report.calls.map(({ tool, outcome }) => [tool, outcome]),
      [['everything/get-sum', 'ok']],
    );
    await session.run('carefulTools.lastReport');
    await untilNotified(session.page, '1 calls (0 invalid');
  });

  scenario('stops calls by its check', async (session) => {
    const same = await question(session, 'get-sum a=2 b=2');
    assert.deepEqual(
      same.calls.map(({ outcome }) => outcome),
      ['invalid'],
    );
    assert.match(same.answer, /Multiply instead of adding a number to itself/);
  });

  scenario('is in the inspector with what it stopped', async (session) => {
    await openInspector(session);
    await tab(session.page, 'Turns').click();
    await untilInspectorShows(session.page, /arguments didn’t fit/);
  });
});
