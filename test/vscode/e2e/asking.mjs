import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, pressBeneath } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { untilInspectorShows } from '../harness/workbench.mjs';

/** Scenarios that share a VS Code with others, and run before them. */
export const asking = (scenario) =>
  describe('asking @toolsearch over real MCP servers', () => {
    const finds = scenario('finds a deferred tool by search, calls it and answers', async (session) => {
      // Starts the servers, which may be slower than a question waits for them.
      await ask(session.page, '@toolsearch /tools');
      await until('the tools of all servers', async () => {
        const tools = (await session.tools()).join();
        return ['everything', 'github', 'playwright', 'chrome'].every((server) => tools.includes(server));
      });
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

    scenario('opens the inspector from the answer', async (session) => {
      await finds(session);
      await pressBeneath(session.page, /^no model asked · 1 of \d+ tools used$/);
      await untilInspectorShows(session.page, /get-sum a=2 b=40/);
    });

    scenario('says what to do when the prompt is empty', async (session) => {
      const { text } = await ask(session.page, '@toolsearch ');
      assert.match(text, /Ask something after @toolsearch/);
    });
  });
