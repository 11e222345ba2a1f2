// Scenarios of the inspector: its actions on tools, exports, and reloads.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until, untilJson } from '../harness/wait.mjs';
import {
  chooseFile,
  command,
  inspector,
  openInspector,
  pick,
  reload,
  tab,
  untilInspectorShows,
} from '../harness/workbench.mjs';

const row = (page, name) =>
  inspector(page)
    .getByRole('row', { name: new RegExp(name) })
    .first();

/** The tab of an editor by its title. */
const editorTab = (page, title) => page.locator('.tab', { hasText: title }).first();

/** Scenarios that share a VS Code with others. */
export const inspectorFlows = (scenario, folder) =>
  describe('from the inspector on', () => {
    const silent = path.join(folder, 'silent.json');
    const traces = path.join(folder, 'traces.json');

    const pinned = scenario('a pin from a row changes the plan of the next turn', async (session) => {
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

    scenario('exports by command, without what was said unless it is asked for', async (session) => {
      const { page } = session;
      await pinned(session);
      for (const [format, file] of [
        ['everything that the inspector shows', silent],
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

    const restored = scenario('is restored after a reload', async (session) => {
      const { page } = session;
      await pinned(session);
      await openInspector(session);
      await tab(page, 'Tools').click();
      await inspector(page).getByRole('textbox').fill('everything/echo');
      await reload(session);
      await editorTab(page, 'Tool Search Inspector').click();
      await untilInspectorShows(page, /pinned: tool/);
      assert.equal(await tab(page, 'Tools').getAttribute('aria-selected'), 'true');
      assert.equal(await inspector(page).getByRole('textbox').inputValue(), 'everything/echo');
      await tab(page, 'Turns').click();
      await untilInspectorShows(page, /get-sum a=2 b=40/);
    });

    scenario('continues the conversation with what was discovered before', async (session) => {
      await restored(session);
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=30 b=4'));
      assert.match(report.answer, /\b34\b/);
      assert.ok(!report.discovered.includes('everything/get-sum'), 'the reload has lost the discovery');
    });
  });
