import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { untilNotified } from '../harness/workbench.mjs';
import { inOrder, useVscode } from './vscode.mjs';

/** The example extension of docs/examples, installed beside Tool Search. */
describe('the example extension', () => {
  const scenario = inOrder(
    useVscode({
      extensions: ['docs/examples/extension'],
      settings: { 'toolsearch.strategy': 'careful', 'toolsearch.mode': 'on' },
    }),
  );

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
    const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    assert.match(report.answer, /sum of 2 and 40 is 42/);
    assert.equal(report.strategy, 'careful');
    assert.deepEqual(
      report.calls.map(({ tool, outcome }) => [tool, outcome]),
      [['everything/get-sum', 'ok']],
    );
    await session.run('carefulTools.lastReport');
    await untilNotified(session.page, '1 calls (0 invalid');
  });
});
