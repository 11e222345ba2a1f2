import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { joinFrames, readFrames } from '../harness/apng.mjs';
import { ask, chatInput, said } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { inspector, openInspector, tab, untilInspectorShows, useTheme } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

/** The model of the pictures, with the default settings. */
export const MODEL = 'toolsearch-anthropic/claude-sonnet-4-6';
/** The questions of the pictures, in one chat. */
export const QUESTIONS = [
  'read the text file package.json',
  'get-sum a=2 b=40',
  'directory_tree path=.vscode',
  'create an issue',
  'read the text file .vscode/mcp.json',
  'echo message="good morning"',
  'read the text file README.md',
  'which files are in this folder?',
];
/** Maximum size of the picture, since the README is also loaded over slow networks. */
const MAX_BYTES = 2_000_000;
/** Maximum duration of one round of the picture, in milliseconds. */
const MAX_MS = 8_000;

/** A scenario in a VS Code of its own, whose window is as large as the picture. */
export const movingPicture = () =>
  describe('the moving picture of the README', () => {
    const scenario = useVscode({ standIn: 'with keys', browser: { width: 1100, height: 640, scale: 2 } });

    scenario('begins with the result, then shows the question and what was sent', async (session) => {
      const { page } = session;
      await useTheme(session, 'dark');
      await session.chooseModel(MODEL);
      await session.run('workbench.action.closeSidebar');
      await openInspector(session);
      const show = (name) => tab(page, name).click();
      const take = async (ms) => {
        await session.run('notifications.clearAll');
        await page.mouse.move(0, 0);
        return { png: await page.screenshot({ animations: 'disabled', caret: 'hide' }), ms };
      };

      await inspector(page).getByText('Start All').click();
      for (const question of QUESTIONS.slice(0, -1)) await ask(page, `@toolsearch ${question}`);
      await show('Tools');
      await untilInspectorShows(page, /\d+ deferred/);
      const last = `@toolsearch ${QUESTIONS.at(-1)}`;
      await chatInput(page).click();
      await page.keyboard.insertText(last);
      const question = await take(1_800);
      await ask(page, last);
      assert.match(await said(page), /package\.json/);
      await show('Turns');
      await untilInspectorShows(page, /cheaper.*Searched.*Called filesystem\/list_directory/s);
      const result = await take(3_200);
      await inspector(page).getByRole('button', { name: 'Request 1 and reply' }).click();
      await untilInspectorShows(page, /definitions/);
      const sent = await take(2_400);

      const frames = [result, question, sent];
      assert.ok(frames.reduce((sum, { ms }) => sum + ms, 0) <= MAX_MS);
      const file = path.join(ROOT, 'media/tour.png');
      const made = joinFrames(frames);
      await writeFile(file, made);
      assert.ok((await stat(file)).size < MAX_BYTES, `${(await stat(file)).size} bytes`);
      assert.equal(
        new Set(readFrames(made).map(({ pixels }) => pixels.toString('base64'))).size,
        frames.length,
        'each step looks different',
      );
    });
  });
