import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { openInspector, statusBar, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { AUTO, begin, CLAUDE } from './services.mjs';

/** Scenarios that share a VS Code with others. */
export const counts = (scenario) =>
  describe('the number of tools', () => {
    for (const delivery of ['server', 'client', 'local', 'bridge'])
      scenario(`is the same everywhere with ${delivery}`, async (session) => {
        const { page } = session;
        const settings = {
          ...AUTO,
          'toolsearch.mode': 'auto',
          'toolsearch.delivery': delivery,
          'toolsearch.eagerTools': {},
          'toolsearch.hiddenTools': {},
        };
        await openInspector(session);
        await begin(session, CLAUDE, settings);
        // The first question starts the servers, and VS Code lists the tools of one server after the other.
        await ask(page, '@toolsearch get-sum a=1 b=1');
        await begin(session, CLAUDE, settings);
        const report = await session.reportOf(() => ask(page, '@toolsearch get-sum a=2 b=40'));
        const found = report.discovered.length;
        assert.equal(report.delivery, delivery);
        assert.equal(report.tools, report.eager + report.deferred);
        assert.equal(report.inRequest, report.eager + (delivery === 'bridge' ? 0 : found));
        await statusBar(page, new RegExp(`${report.tools} tools, \\d+ used`)).waitFor();
        const deferred = report.tools - report.eager - found;
        await tab(page, 'Tools').click();
        await untilInspectorShows(page, new RegExp(`\\b${found} discovered\\s+${deferred} deferred`));
        const { text } = await ask(page, '@toolsearch /tools');
        const listed = [...text.matchAll(/(\d+) (?:eager|discovered|deferred)/g)].map(([, count]) => Number(count));
        assert.equal(
          listed.reduce((sum, count) => sum + count, 0),
          report.tools,
        );
      });
  });
