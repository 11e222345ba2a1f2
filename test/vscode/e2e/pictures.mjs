import path from 'node:path';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { inspector, openInspector, useTheme } from '../harness/workbench.mjs';
import { MODEL, movingPicture, QUESTIONS } from './movingPicture.mjs';
import { useVscode } from './vscode.mjs';

/** The pictures, by theme and section. */
const PICTURES = [
  ['light', 'turns'],
  ['dark', 'playground'],
  ['high contrast', 'tools'],
];

/** Actions in a section before its picture is taken. */
const PREPARED = {
  async playground(page) {
    await inspector(page).getByRole('textbox', { name: 'Query' }).fill('create issue');
    await inspector(page).locator('[data-hit="0 1"]').click();
  },
};

describe('the pictures of the README', () => {
  const scenario = useVscode({ standIn: 'with keys', browser: { width: 1600, height: 1000, scale: 2 } });

  scenario('have some questions to show', async (session) => {
    await openInspector(session);
    await session.chooseModel(MODEL);
    for (const question of QUESTIONS) await ask(session.page, `@toolsearch ${question}`);
  });

  for (const [theme, view] of PICTURES) {
    scenario(`can be taken: ${view}, ${theme}`, async (session) => {
      const { page } = session;
      await useTheme(session, theme);
      await inspector(page)
        .getByRole('tab', { name: new RegExp(`^${view}`, 'i') })
        .click();
      await PREPARED[view]?.(page);
      const file = path.join(ROOT, 'media', `${view}-${theme.replaceAll(' ', '-')}.png`);
      await session.run('notifications.clearAll');
      await page.mouse.move(0, 0);
      await page.locator('.part.editor').screenshot({ path: file });
    });
  }
});

movingPicture();
