import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { closeEditors, inspector, openInspector, tab, untilInspector } from '../harness/workbench.mjs';

/** An entry of VS Code's open menu, which is in a shadow root. */
const entry = (page, title) => page.locator('.monaco-menu .action-item', { hasText: title }).first();

/** Clicks an entry. For a short while, VS Code takes a press as the end of the click that opened the menu. */
async function choose(page, title) {
  await entry(page, title).waitFor();
  await until(`the menu to take '${title}'`, async () => {
    await entry(page, title)
      .click({ timeout: 2_000 })
      .catch(() => {});
    return (await entry(page, title).count()) === 0;
  });
}

const row = (page, name) =>
  inspector(page)
    .getByRole('row', { name: new RegExp(name) })
    .first();

/** Scenarios that share a VS Code with others. */
export const menus = (scenario) =>
  describe('entries in menus of VS Code', () => {
    scenario('the title bar of mcp.json opens the inspector', async (session) => {
      const { page } = session;
      await closeEditors(session);
      await session.run('workbench.action.quickOpen');
      const input = page.locator('.quick-input-widget input').first();
      await input.fill('mcp.json');
      await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'mcp.json' }).first().click();
      await page.locator('.part.editor .editor-actions a[aria-label*="Open Inspector"]').first().click();
      await untilInspector(page);
    });

    scenario('the menu of the chat view opens the inspector', async (session) => {
      const { page } = session;
      await closeEditors(session);
      await page.locator('.part.auxiliarybar .title-actions a.action-label[aria-label*="More Actions"]').last().click();
      await choose(page, 'Open Inspector');
      await untilInspector(page);
    });

    scenario('the context menu of a tool pins and unpins it', async (session) => {
      const { page } = session;
      // The first question starts the servers.
      await ask(page, '@toolsearch /find echo');
      await openInspector(session);
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox').fill('everything/echo');
      for (const [title, pin] of [
        ['Pin Eager', 'Eager'],
        ['Remove Pin', 'Auto'],
      ]) {
        await row(page, 'echo').click({ button: 'right' });
        await choose(page, title);
        await until(`the pin after '${title}'`, () => row(page, 'echo').getByRole('radio', { name: pin }).isChecked());
      }
    });
  });
