import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { joinFrames, readFrames } from '../harness/apng.mjs';
import { ask, chatInput, shown } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { inspector, openInspector, tab, untilInspectorShows, useTheme } from '../harness/workbench.mjs';
import { begin, CLAUDE } from './services.mjs';
import { useVscode } from './vscode.mjs';

const QUESTION = '@toolsearch get-sum a=2 b=40';
/** A page of the README is loaded over slow networks too. */
const MAX_BYTES = 2_000_000;

/** In a VS Code of its own, whose window is as large as the picture. */
export const movingPicture = () =>
  describe('the moving picture of the README', () => {
    const scenario = useVscode({ standIn: 'with keys', browser: { width: 1200, height: 720, scale: 1 } });

    scenario('shows a question, what was found for it, and what that saved', async (session) => {
      const { page } = session;
      await useTheme(session, 'dark');
      await begin(session, CLAUDE);
      await openInspector(session);
      const frames = [];
      const take = async (ms) => {
        await page.mouse.move(0, 0);
        frames.push({ png: await page.screenshot({ animations: 'disabled', caret: 'hide' }), ms });
      };
      const open = (name) => tab(page, name).click();

      await take(1_200);
      await chatInput(page).click();
      await page.keyboard.insertText(QUESTION);
      await take(1_200);
      await ask(page, QUESTION);
      assert.match(await shown(page), /42/);
      await untilInspectorShows(page, /get-sum a=2 b=40/);
      await take(2_800);
      await open('Timeline');
      await untilInspectorShows(page, /everything\/get-sum/);
      await take(2_800);
      await open('Tools');
      await untilInspectorShows(page, /chrome-devtools/);
      await take(2_400);
      await open('Playground');
      await inspector(page).getByRole('textbox').first().fill('create an issue');
      await untilInspectorShows(page, /create_issue/);
      await take(2_800);

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
