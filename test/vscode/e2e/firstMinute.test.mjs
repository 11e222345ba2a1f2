import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, chatInput, untilSaid } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { command } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

/** A VS Code without any model: no account, no key, no setting; with all of its built-in extensions. */
describe('the first minute', () => {
  const scenario = useVscode({
    settings: { 'toolsearch.searchOnlyModel': undefined, 'chat.defaultModel': undefined },
    fewBuiltIn: false,
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
});
