import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, newChat, pressBeneath } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { inspector, untilInspectorShows } from '../harness/workbench.mjs';

/** Scenarios that share a VS Code with others, and run before them. */
export const asking = (scenario) =>
  describe('asking @toolsearch over real MCP servers', () => {
    const finds = scenario('finds a deferred tool by search, calls it and answers', async (session) => {
      let answer;
      const report = await session.reportOf(async () => {
        answer = await ask(session.page, '@toolsearch get-sum a=2 b=40');
      });
      assert.match(answer.text, /sum of 2 and 40 is 42/);
      assert.equal(report.status, 'answered');
      assert.equal(report.model, 'toolsearch/search-only');
      assert.ok(report.discovered.includes('everything/get-sum'), `discovered: ${report.discovered}`);
      assert.deepEqual(
        report.calls.map(({ tool, ok }) => [tool, ok]),
        [['everything/get-sum', true]],
      );
      assert.ok(report.queries.length > 0 && report.queries[0].hits > 0);
    });

    scenario('saves nothing without a model, and 85 % with one', async (session) => {
      await finds(session);
      // The slower servers may start after the first answer.
      await until('the tools of all servers', async () => {
        const tools = (await session.tools()).join();
        return ['everything', 'github', 'playwright', 'chrome'].every((server) => tools.includes(server));
      });
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
      assert.ok(report.eager + report.deferred >= 90, `${report.eager} eager, ${report.deferred} deferred`);
      assert.deepEqual([report.baselineTokens, report.sentTokens, report.netSavedTokens], [0, 0, 0]);
      const { sentTokens, baselineTokens } = report.withModel;
      assert.ok(sentTokens < 0.15 * baselineTokens, `${sentTokens} of ${baselineTokens}`);
    });

    scenario('opens the inspector from the answer', async (session) => {
      await finds(session);
      await pressBeneath(session.page, /^no model asked · 1 of \d+ tools used$/);
      await untilInspectorShows(session.page, /get-sum a=2 b=40/);
    });

    scenario('goes on with what was discovered', async (session) => {
      await finds(session);
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=20 b=3'));
      assert.match(report.answer, /\b23\b/);
      assert.ok(!report.discovered.includes('everything/get-sum'), 'discovered for the first time once more');
    });

    scenario('begins a new chat with nothing discovered', async (session) => {
      await newChat(session.page);
      const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=1 b=1'));
      assert.ok(report.discovered.includes('everything/get-sum'));
    });

    scenario('says what to do when the prompt is empty', async (session) => {
      const { text } = await ask(session.page, '@toolsearch ');
      assert.match(text, /Ask something after @toolsearch/);
    });

    const findsNothing = scenario('says so when nothing matches', async (session) => {
      const report = await session.reportOf(() => ask(session.page, '@toolsearch zzxqv wjkpt'));
      assert.equal(report.calls.length, 0);
      assert.match(report.answer, /No tools found/);
    });

    scenario('shows why nothing matched: the same words in the playground', async (session) => {
      const { page } = session;
      await findsNothing(session);
      await pressBeneath(page, 'Show why');
      const query = inspector(page).getByRole('textbox', { name: 'Query' });
      await query.waitFor();
      assert.match(await query.inputValue(), /zzxqv/);
      await untilInspectorShows(page, /bm25 Nothing matches\./);
    });
  });
