import path from 'node:path';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { inspector, openInspector, untilInspectorShows, useTheme } from '../harness/workbench.mjs';
import { movingPicture } from './movingPicture.mjs';
import { begin, CLAUDE } from './services.mjs';
import { useVscode } from './vscode.mjs';

const QUESTIONS = [
  'get-sum a=2 b=40',
  'get-sum a=20 b=3',
  'get-sum a=1 b=1',
  'create an issue',
  'list_directory path=.',
];

/** By theme and section; `overview` has the chat beside it. */
const PICTURES = [
  ['light', 'overview'],
  ['light', 'turns'],
  ['light', 'suggestions'],
  ['dark', 'overview'],
  ['dark', 'timeline'],
  ['dark', 'playground'],
  ['high contrast', 'overview'],
  ['high contrast', 'tools'],
];

/** Actions in a section before its picture is taken. */
const PREPARED = {
  async playground(page) {
    await inspector(page).getByRole('textbox', { name: 'Query' }).fill('create issue');
    await inspector(page).locator('[data-hit="0 1"]').click();
  },
  async suggestions(page) {
    await untilInspectorShows(page, /Hard to find/);
    await inspector(page).getByText('Calculation').first().click();
  },
};

describe('the pictures of the README', () => {
  const scenario = useVscode({ standIn: 'with keys', browser: { width: 1600, height: 1000, scale: 2 } });

  // Search only would have no figures to show.
  scenario('have some questions to show', async (session) => {
    await begin(session, CLAUDE);
    await openInspector(session);
    for (const question of QUESTIONS) await ask(session.page, `@toolsearch ${question}`);
  });

  for (const [theme, view] of PICTURES) {
    scenario(`can be taken: ${view}, ${theme}`, async (session) => {
      const { page } = session;
      await useTheme(session, theme);
      const section = view === 'overview' ? 'turns' : view;
      await inspector(page)
        .getByRole('tab', { name: new RegExp(`^${section}`, 'i') })
        .click();
      await PREPARED[view]?.(page);
      const file = path.join(ROOT, 'media', `${view}-${theme.replaceAll(' ', '-')}.png`);
      await session.run('notifications.clearAll');
      await page.mouse.move(0, 0);
      if (view === 'overview') await page.screenshot({ path: file });
      else await page.locator('.part.editor').screenshot({ path: file });
    });
  }
});

movingPicture();
