import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { useVscode } from './vscode.mjs';

/** A fresh install beside Copilot Chat, whose tools read files. No setting of Tool Search is set. */
describe('@toolsearch reads the workspace', () => {
  const scenario = useVscode({
    fixture: 'workspace',
    extensions: ['test/vscode/reader'],
    proposedApi: 'tool-search-test.reader',
    settings: { 'toolsearch.searchOnlyModel': undefined, 'chat.defaultModel': undefined },
  });

  scenario('answers what a file does, without a setting', async (session) => {
    await until('its tools', async () => (await session.tools()).includes('copilot_readFile'));
    await session.chooseModel('literal/literal');
    const report = await session.reportOf(() => ask(session.page, '@toolsearch what does src/extension.ts do?'));
    assert.match(report.answer, /It begins with: \/\/ Adds two numbers/);
    assert.deepEqual(
      report.calls.map(({ tool, outcome }) => [tool, outcome]),
      [['vscode/copilot_readFile', 'ok']],
    );
    assert.equal(report.queries.length, 0);
    // The tools for reading are in the request, and others are deferred.
    assert.equal(report.eager, 5);
    assert.ok(report.deferred > 0);
  });
});
