import { until } from './wait.mjs';
import { inspector, tab } from './workbench.mjs';

/**
 * Opens "What if" in the open inspector, waits for its last row, and returns the table's rows as texts, headings first.
 */
export async function readWhatIf(page) {
  await tab(page, 'What if').click();
  const section = inspector(page).locator('.whatif');
  await until('the turns to be replayed', async () => (await section.getAttribute('aria-busy')) === 'false');
  const rows = await section.locator('table.data').first().locator('tr').all();
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('th:not(:has(.label)), .label, td').allInnerTexts();
      return cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
    }),
  );
}
