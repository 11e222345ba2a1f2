// Scenarios of the inspector: its actions on tools, exported sessions, and reloads.
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { RESULTS } from '../harness/paths.mjs';
import { until, untilJson } from '../harness/wait.mjs';
import {
  chooseFile,
  closeEditor,
  command,
  dropFile,
  inspector,
  inspectorText,
  openInspector,
  pick,
  reload,
  tab,
  untilInspectorShows,
  untilNotified,
} from '../harness/workbench.mjs';

const row = (page, name) =>
  inspector(page)
    .getByRole('row', { name: new RegExp(name) })
    .first();

/** Opens an exported session with the command, and waits until the inspector shows it. */
async function openExported(page, file) {
  await command(page, 'Tool Search: Open Exported Session');
  await chooseFile(page, 'Open Exported Session', file);
  const name = path.basename(file).replace('.', '\\.');
  await untilInspectorShows(page, new RegExp(`Exported session, read-only.*${name}`, 's'));
}

/** The tab of an editor by its title. */
const editorTab = (page, title) => page.locator('.tab', { hasText: title }).first();

const SILENT = 'silent.json';

/** Scenarios that share a VS Code with others. */
export const inspectorFlows = (scenario, folder) =>
  describe('from the inspector on', () => {
    const said = path.join(folder, 'said.json');
    const silent = path.join(folder, SILENT);
    const traces = path.join(folder, 'traces.json');

    scenario('a pin from a row changes the plan of the next turn', async (session) => {
      const { page } = session;
      const before = await session.reportOf(() => ask(page, '@toolsearch get-sum a=2 b=40'));
      await openInspector(session);
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox').fill('everything/echo');
      await row(page, 'echo').getByRole('radio', { name: 'Eager' }).click();
      await until('the row to be eager', async () => /eager.*pinned/s.test(await row(page, 'echo').innerText()));
      const next = await session.reportOf(() => ask(page, '@toolsearch get-sum a=1 b=1'));
      assert.equal(next.eager, before.eager + 1);
    });

    scenario('a row’s Off hides its tool from the next turn', async (session) => {
      const { page } = session;
      await ask(page, '@toolsearch get-sum a=2 b=40');
      await openInspector(session);
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox').fill('everything/get-sum');
      await row(page, 'get-sum').getByRole('radio', { name: 'Off' }).click();
      await until('the row to be off', async () =>
        /omitted.*pinned: off/s.test(await row(page, 'get-sum').innerText()),
      );
      const next = await session.reportOf(() => ask(page, '@toolsearch get-sum a=1 b=1'));
      assert.ok(!next.calls.some(({ tool }) => tool === 'everything/get-sum'));
      await row(page, 'get-sum').getByRole('radio', { name: 'Auto' }).click();
      await until('the row to be back', async () => !/omitted/.test(await row(page, 'get-sum').innerText()));
      const again = await session.reportOf(() => ask(page, '@toolsearch get-sum a=1 b=1'));
      assert.ok(again.calls.some(({ tool }) => tool === 'everything/get-sum'));
    });

    scenario('exports the session with what was said, and shows it again, read-only', async (session) => {
      const { page } = session;
      await tab(page, 'Export').click();
      await inspector(page)
        .getByRole('checkbox', { name: /Include prompts and results/ })
        .check();
      await inspector(page).getByRole('button', { name: 'Export…' }).click();
      await chooseFile(page, 'Export Session', said);
      const file = await untilJson(said);
      assert.equal(file.format, 'tool-search-session');
      assert.ok(file.events.some((event) => event.prompt === 'get-sum a=2 b=40'));

      await tab(page, 'Turns').click();
      const live = await inspectorText(page);
      await tab(page, 'Export').click();
      await inspector(page).getByRole('button', { name: 'Open…' }).click();
      await chooseFile(page, 'Open Exported Session', said);
      await untilInspectorShows(page, /Exported session, read-only.*said\.json/s);
      const again = await inspectorText(page);
      for (const line of live
        .split('\n')
        .filter((each) => !each.includes('answered') && /Turn \d|get-sum|^[≈\d][\d, {2}]+$/.test(each))) {
        assert.ok(again.includes(line), `“${line}” is missing in:\n${again}`);
      }
      await tab(page, 'Tools').click();
      await untilInspectorShows(page, /echo/);
      assert.equal(await inspector(page).getByRole('radio', { disabled: false }).count(), 0);
      await tab(page, 'Timeline').click();
      await untilInspectorShows(page, /everything\/get-sum/);
      await closeEditor(session);
    });

    scenario('shows an exported session that is dropped with Shift held', async (session) => {
      const { page } = session;
      const heading = inspector(page).getByRole('heading', { name: 'Open an exported session' });
      await dropFile(page, await heading.boundingBox(), said);
      await untilInspectorShows(page, /Exported session, read-only.*said\.json/s);
      await closeEditor(session);
    });

    scenario('exports by command, without what was said unless it is asked for', async ({ page }) => {
      for (const [format, file] of [
        ['can be opened again', silent],
        ['OpenTelemetry traces', traces],
      ]) {
        await command(page, 'Tool Search: Export Session');
        await pick(page, format);
        await pick(page, 'Without prompts and results');
        await chooseFile(page, 'Export Session', file);
        assert.doesNotMatch(JSON.stringify(await untilJson(file)), /a=2 b=40/);
      }
      const { resourceSpans } = await untilJson(traces);
      assert.ok(resourceSpans[0].scopeSpans[0].spans.some((span) => span.name === 'execute_tool everything/get-sum'));
    });

    scenario('says what is wrong with a file that is no export', async ({ page }) => {
      await command(page, 'Tool Search: Open Exported Session');
      await chooseFile(page, 'Open Exported Session', traces);
      await untilNotified(page, 'traces.json isn’t a session that Tool Search exported');
    });

    scenario('restores its panels after a reload, except for a deleted export', async (session) => {
      const { page } = session;
      await openInspector(session);
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox').fill('everything/echo');
      await openExported(page, said);
      await tab(page, 'Timeline').click();
      await openExported(page, silent);
      await rename(silent, `${silent}.moved`);
      await reload(session);

      await untilInspectorShows(
        page,
        /silent\.json can’t be shown again.*silent\.json no longer exists.*Open Exported Session…/s,
      );
      await page.locator('.part.editor').screenshot({ path: path.join(RESULTS, 'exported-gone.png') });
      await inspector(page).getByRole('link', { name: 'Open Exported Session…' }).click();
      await chooseFile(page, 'Open Exported Session', `${silent}.moved`);
      await untilInspectorShows(page, /Exported session, read-only.*silent\.json\.moved/s);
      await closeEditor(session);

      await editorTab(page, 'said.json').click();
      await untilInspectorShows(page, /Exported session, read-only.*said\.json/s);
      assert.equal(await tab(page, 'Timeline').getAttribute('aria-selected'), 'true');
      await closeEditor(session);

      await editorTab(page, 'Tool Search Inspector').click();
      await untilInspectorShows(page, /pinned: tool/);
      assert.equal(await tab(page, 'Tools').getAttribute('aria-selected'), 'true');
      assert.equal(await inspector(page).getByRole('textbox').inputValue(), 'everything/echo');
      await tab(page, 'Turns').click();
      await untilInspectorShows(page, /get-sum a=2 b=40/);
    });

    scenario('continues the conversation with what was discovered before', async (session) => {
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=30 b=4'));
      assert.match(report.answer, /\b34\b/);
      assert.ok(!report.discovered.includes('everything/get-sum'), 'the reload has lost the discovery');
    });
  });

/**
 * Scenarios that run after {@link inspectorFlows} and after all that need servers, since a reload stops servers. The
 * file that was missing exists again.
 */
export const inspectorBack = (scenario, folder) =>
  describe('from the inspector on, once more', () => {
    scenario('finds an exported session that was gone once it is back', async (session) => {
      const { page } = session;
      await editorTab(page, SILENT).click();
      const silent = path.join(folder, SILENT);
      await rename(`${silent}.moved`, silent);
      await reload(session);
      await untilInspectorShows(page, /Exported session, read-only.*silent\.json,/s);
      await closeEditor(session);
    });
  });
