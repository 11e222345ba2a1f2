// Scenarios of the inspector's playground, suggestions and round details.
import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { closeEditor, inspector, openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';

const button = (page, name) => inspector(page).getByRole('button', { name });

/** Scenarios that share a VS Code with others, and run before the first question. */
export const insight = (scenario) =>
  describe('the inspector helps to decide', () => {
    const folder = temporaryFolder('insight');
    after(() => folder.remove());

    const tried = scenario('a query is tried under every strategy before the first question', async (session) => {
      const { page } = session;
      await openInspector(session);
      await tab(page, 'Playground').click();
      // No question has been asked, so no server has been started yet.
      await button(page, 'Start All').click();
      await inspector(page).getByRole('textbox', { name: 'Query' }).fill('add two numbers');
      const column = (name) => inspector(page).getByRole('region', { name, exact: true });
      await column('bm25').getByRole('button').filter({ hasText: 'get-sum' }).waitFor();
      assert.match(await column('bm25').innerText(), /in use.*\d+\.\d+ m?s, \d+ of \d+ match/s);
      const second = column('bm25').getByRole('button').nth(1);
      const [first, other] = [
        await column('bm25').getByRole('button').first().getAttribute('title'),
        await second.getAttribute('title'),
      ];
      await second.click();
      const why = inspector(page).getByRole('region', { name: `Why ${first} comes before ${other}` });
      // Waits for the region, which the next line doesn't.
      const score = Number(await why.locator('tfoot td:nth-of-type(2)').innerText());
      const parts = (await why.locator('tbody tr td:nth-of-type(2)').allInnerTexts()).map((text) =>
        // The text may begin with “search word”.
        Number(/[\d.-]*$/.exec(text.trim())?.[0]),
      );
      assert.ok(
        Math.abs(parts.reduce((sum, part) => sum + part, 0) - score) < 0.01 * parts.length,
        `${parts} make ${score}`,
      );
      await column('exact').getByText('Nothing matches.').waitFor();
      await inspector(page).getByRole('textbox', { name: 'Query' }).fill('get-.*(sum');
      await column('regex').getByText('not a valid regular expression').waitFor();
    });

    scenario('one click pins a tool that every turn searches for', async (session) => {
      const { page } = session;
      await openInspector(session);
      for (const b of [40, 41, 42]) await ask(page, `@toolsearch get-sum a=2 b=${b}`);
      await tab(page, 'Turns').click();
      await untilInspectorShows(page, /Suggestions.*Pin everything\/get-sum eager/s);
      await button(page, 'Pin Eager: Pin everything/get-sum eager').click();
      await untilInspectorShows(page, /everything\/get-sum is pinned eager\./);
      await ask(page, '@toolsearch get-sum a=2 b=43');
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox', { name: 'Filter tools' }).fill('is:eager');
      await untilInspectorShows(page, /get-sum.*eager.*pinned: tool/s);
      await tab(page, 'Turns').click();
      await button(page, 'Undo: everything/get-sum is pinned eager.').click();
      await untilInspectorShows(page, /Pin everything\/get-sum eager/);
    });

    scenario('runs a tool by its form after asking for missing values', async (session) => {
      const { page } = session;
      await tried(session);
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox', { name: 'Filter tools' }).fill('everything/get-sum');
      await inspector(page).getByRole('button', { name: 'get-sum', exact: true }).click();
      await inspector(page).getByText('Try', { exact: true }).click();
      await button(page, 'Run').click();
      await untilInspectorShows(page, /a is required\./);
      await inspector(page).getByLabel(/^a /).fill('30');
      await inspector(page).getByLabel(/^b /).fill('5');
      await button(page, 'Run').click();
      await untilInspectorShows(page, /sum of 30 and 5 is 35/);
    });

    scenario('opens a round to its request and reply, whole in an editor', async (session) => {
      const { page } = session;
      await openInspector(session);
      await ask(page, '@toolsearch get-sum a=2 b=44');
      await tab(page, 'Turns').click();
      await button(page, 'Request 1 and reply').click();
      await untilInspectorShows(page, /get-sum a=2 b=44.*\d+ definitions?.*search_tools.*Tool Search.*Reply/s);
      await button(page, 'Open Whole in Editor').click();
      await page.locator('.tab', { hasText: /turn-\d+-round-1\.json/ }).waitFor();
      await closeEditor(session);
      await openInspector(session);
    });
  });
