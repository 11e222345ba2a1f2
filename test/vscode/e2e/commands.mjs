import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import {
  closeEditors,
  command,
  inspector,
  openInspector,
  pick,
  quickPickRows,
  statusBar,
  tab,
  typeInQuickPick,
  untilInspector,
} from '../harness/workbench.mjs';

/** Scenarios that share a VS Code with others. */
export const commands = (scenario) =>
  describe('commands and status bar', () => {
    for (const [title, choice, part] of [
      ['Tool Search: Select Strategy', 'regex', 'strategy'],
      ['Tool Search: Select Delivery', 'bridge', 'delivery'],
    ]) {
      scenario(`“${title}” is obeyed by the next question`, async (session) => {
        await command(session.page, title);
        await pick(session.page, choice);
        await session.untilSetting(`toolsearch.${part}`, choice);
        const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
        assert.equal(report[part], choice);
        assert.match(report.answer, /\b42\b/);
        await session.changeSettings({ [`toolsearch.${part}`]: null });
      });
    }

    scenario('“Tool Search: Find Tools” searches while one types', async ({ page }) => {
      await ask(page, '@toolsearch /tools');
      await command(page, 'Tool Search: Find Tools');
      await typeInQuickPick(page, 'Find a tool by name, server or description', 'screenshot');
      await until(
        'a tool that takes screenshots',
        async () => (await quickPickRows(page).filter({ hasText: 'screenshot' }).count()) > 0,
      );
      await page.keyboard.press('Escape');
    });

    scenario('“Tool Search: Hide Tools” hides all tools that match a pattern', async (session) => {
      const { page } = session;
      const before = await session.reportOf(() => ask(page, '@toolsearch get-sum a=2 b=40'));
      await command(page, 'Tool Search: Hide Tools');
      await typeInQuickPick(
        page,
        'Which tools should models never get? A name, or a pattern such as github/delete_*',
        'everything/get-s*',
      );
      await page.keyboard.press('Enter');
      await session.untilSetting('toolsearch.hiddenTools', { everything: ['get-s*'] });
      const report = await session.reportOf(() => ask(page, '@toolsearch get-sum a=2 b=40'));
      assert.ok(report.deferred + report.eager < before.deferred + before.eager);
      assert.ok(!report.calls.some(({ tool }) => tool === 'everything/get-sum'));
      await session.changeSettings({ 'toolsearch.hiddenTools': null });
    });

    scenario('a set from the status bar leaves other tools out', async (session) => {
      const { page } = session;
      assert.equal(await statusBar(page, /^\s*All$/).count(), 0);
      await session.changeSettings({ 'toolsearch.sets': { Echoes: ['everything/echo'] } });
      try {
        await statusBar(page, /^\s*All$/).click();
        await pick(page, 'Echoes');
        await statusBar(page, /^\s*Echoes$/).waitFor();
        const report = await session.reportOf(() => ask(page, '@toolsearch get-sum a=2 b=40'));
        assert.ok(!report.calls.some(({ tool }) => tool === 'everything/get-sum'));
        await openInspector(session);
        await tab(page, 'Tools').click();
        await inspector(page).getByText('not in the set Echoes').first().waitFor({ state: 'attached' });
        await command(page, 'Tool Search: Select Set');
        await pick(page, 'All');
        await statusBar(page, /^\s*All$/).waitFor();
        const all = await session.reportOf(() => ask(page, '@toolsearch get-sum a=2 b=40'));
        assert.match(all.answer, /\b42\b/);
      } finally {
        await session.changeSettings({ 'toolsearch.sets': null });
      }
    });

    scenario('a walkthrough leads from servers to the inspector, and ticks', async (session) => {
      const { page } = session;
      await closeEditors(session);
      await command(page, 'Welcome: Open Walkthrough...');
      await typeInQuickPick(page, 'Select a walkthrough to open', 'Tool Search');
      await page.keyboard.press('Enter');
      const steps = page.locator('.gettingStartedContainer');
      for (const title of ['Add MCP servers', 'Choose a model', 'Ask @toolsearch', 'See what was sent']) {
        await steps.getByText(title, { exact: true }).waitFor();
      }
      const done = (step) => steps.locator(`[data-done-step-id$="#${step}"].complete`).waitFor({ state: 'attached' });
      await done('servers');
      await ask(page, '@toolsearch get-sum a=2 b=40');
      await done('ask');
      await steps.getByText('See what was sent', { exact: true }).click();
      await steps.getByRole('button', { name: 'Open Inspector' }).click();
      await untilInspector(page);
    });

    scenario('the status bar counts the tools and opens the inspector', async (session) => {
      const { page } = session;
      await closeEditors(session);
      const item = statusBar(page, /\d+ tools/);
      await item.click();
      await untilInspector(page);
    });
  });
