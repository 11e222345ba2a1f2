// Scenarios of the inspector that use only the keyboard.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { closeEditor, inspector, inspectorFrame, openInspector, untilInspectorShows } from '../harness/workbench.mjs';

const SECTIONS = ['Turns', 'Tools', 'Playground'];
const MOST_TABS = 30;

/** The focused element of the inspector: its role, and its name or text. */
async function focused(page) {
  const frame = await inspectorFrame(page);
  return frame.evaluate(() => {
    const element = document.activeElement;
    const role = element.getAttribute('role') ?? (element.matches('input') ? element.type : element.localName);
    return `${role}: ${element.getAttribute('aria-label') ?? element.innerText}`.replace(/\s+/g, ' ');
  });
}

/** Presses Tab until `pattern` has the focus. */
async function tabTo(page, pattern) {
  const seen = [];
  for (let presses = 0; presses < MOST_TABS; presses++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (pattern.test(now)) return;
    seen.push(now);
  }
  assert.fail(`Tab doesn’t lead to ${pattern}, but to ${seen.join(', ')}`);
}

/** Scenarios that share a VS Code with others. */
export const keyboard = (scenario) =>
  describe('the inspector by keyboard alone', () => {
    scenario('every section is reached', async (session) => {
      const { page } = session;
      await ask(page, '@toolsearch get-sum a=2 b=40');
      await openInspector(session);
      // The inspector is opened again because an older one keeps the focus of other scenarios.
      await closeEditor(session);
      await openInspector(session);
      await tabTo(page, /^tab: /);
      await page.keyboard.press('Home');
      assert.match(await focused(page), /^tab: Turns/);
      await untilInspectorShows(page, /get-sum a=2 b=40/);
      for (const section of [...SECTIONS.slice(1), ...SECTIONS.slice(0, 1)]) {
        await page.keyboard.press('ArrowRight');
        assert.match(await focused(page), new RegExp(`^tab: ${section}`));
        await inspector(page)
          .getByRole('tabpanel', { name: new RegExp(section) })
          .waitFor();
      }
    });
  });
