import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import {
  inspector,
  inspectorFrame,
  inspectorText,
  openInspector,
  THEME_NAMES,
  tab,
  untilInspectorShows,
  useTheme,
} from '../harness/workbench.mjs';
import { figures } from './figures.mjs';
import { insight } from './insight.mjs';
import { inspectorFlows } from './inspectorFlows.mjs';
import { keyboard } from './keyboard.mjs';
import { useVscode } from './vscode.mjs';

/** The rules of axe whose results depend on the theme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

describe('in the inspector', () => {
  const exports = temporaryFolder('exports');
  after(() => exports.remove());
  const scenario = useVscode({ standIn: 'with keys', browser: { width: 1600, height: 1000 } });

  insight(scenario);

  describe('the sections', () => {
    const live = scenario('shows the newest turn live: its result, searches, finds and calls', async (session) => {
      const { page } = session;
      await openInspector(session);
      await tab(page, 'Turns').click();
      await ask(page, '@toolsearch get-sum a=2 b=39');
      // The page follows the answer a moment later.
      await untilInspectorShows(page, /get-sum a=2 b=39\s.*Searched.*get-sum.*Called everything\/get-sum.*Answered/s);
      const text = await inspectorText(page);
      assert.match(text, /With a model: \d+ tokens instead of ≈|No model was asked/);
      assert.match(text, /\d\s*ms/);
    });

    for (const theme of THEME_NAMES) {
      const first = theme === THEME_NAMES[0];
      scenario(`passes axe (${first ? 'all rules' : 'colours'}) in every section: ${theme}`, async (session) => {
        await live(session);
        await useTheme(session, theme);
        const frame = await inspectorFrame(session.page);
        await frame.evaluate(await readFile(path.join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8'));
        for (const name of ['Turns', 'Tools', 'Playground']) {
          await tab(session.page, name).click();
          if (name === 'Playground') {
            await inspector(session.page).getByRole('button', { name: 'Query → Tools' }).click();
            await inspector(session.page).getByRole('textbox', { name: 'Query' }).fill('create an issue');
            await untilInspectorShows(session.page, /create_issue/);
          }
          const found = await frame.evaluate(
            async (rules) => {
              const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], ...rules });
              return violations.map(
                ({ id, help, nodes }) =>
                  `${id}: ${help}: ${nodes
                    .map(({ target }) => target.join(' '))
                    .slice(0, 3)
                    .join(', ')}`,
              );
            },
            first ? {} : { runOnly: COLOURS },
          );
          assert.deepEqual(found, [], `in ${name}`);
        }
      });
    }
  });

  inspectorFlows(scenario, exports.path);
  keyboard(scenario);
  figures(scenario);
});
