import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, chatInput, newChat, untilSaid } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { command } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

/** A VS Code without any model: no account, no key, no setting; with all of its built-in extensions. */
describe('the first minute', () => {
  const scenario = useVscode({
    settings: { 'toolsearch.searchOnlyModel': undefined, 'chat.defaultModel': undefined },
    fewBuiltIn: false,
    extensions: ['test/vscode/reader'],
    proposedApi: 'tool-search-test.reader',
  });

  scenario('finds a tool without a model: one click, a question, Enter', async ({ page }) => {
    await chatInput(page).click();
    await ask(page, '@toolsearch /find create an issue');
    // VS Code names the steps of an answer that took long.
    await untilSaid(page, /^(Tool Search\s+)?(Completed .*\n)?github\/create_issue/);
  });

  scenario('runs the first tool with Search only, offered without other models', async (session) => {
    const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    assert.equal(report.model, 'toolsearch/search-only');
    assert.match(report.answer, /sum of 2 and 40 is 42/);
  });

  scenario('opens the chat with Search only from the walkthrough’s command', async (session) => {
    await session.changeSettings({ 'toolsearch.searchOnlyModel': 'off' });
    await until('no model', async () => (await session.models()).length === 0);
    await command(session.page, 'Tool Search: Ask without a Model');
    await until('Search only', async () => (await session.models()).includes('toolsearch/search-only'));
    await session.untilSetting('toolsearch.searchOnlyModel', 'on');
  });

  // As beside Copilot Chat, whose tools read files.
  scenario('answers what a file does, without a setting of Tool Search', async (session) => {
    await session.changeSettings({ 'toolsearch.searchOnlyModel': null, 'reader.on': true });
    await until('its tools', async () => (await session.tools()).includes('copilot_readFile'));
    await until('its model', async () => (await session.models()).includes('literal/literal'));
    await newChat(session.page);
    await session.chooseModel('literal/literal');
    const report = await session.reportOf(() => ask(session.page, '@toolsearch what does README.md say?'));
    assert.match(report.answer, /It begins with: # A workspace to try Tool Search on/);
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
