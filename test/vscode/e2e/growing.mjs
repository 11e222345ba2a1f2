import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { inspector, openInspector, tab } from '../harness/workbench.mjs';
import { AUTO, answers, begin, seen } from './services.mjs';

/** Scenarios that share a VS Code with others, and come before any server of the folder has started. */
export const growing = (scenario, folder) =>
  describe('a conversation whose servers start one after another', () => {
    const start = async ({ page }, name) => {
      await tab(page, 'Tools').click();
      const row = inspector(page).locator('.tr.s', { hasText: name });
      await row.getByRole('button', { name: 'Start' }).click();
      await row.getByRole('img', { name: 'running' }).waitFor();
    };

    scenario('starts one server alone from its row in the inspector', async (session) => {
      await openInspector(session);
      assert.deepEqual(faultyServers(folder), []);
      await start(session, 'one');
      assert.deepEqual(faultyServers(folder), ['one']);
      const row = inspector(session.page).locator('.tr.s', { hasText: 'two' });
      assert.ok(await row.getByRole('button', { name: 'Start' }).isVisible());
    });

    /** Asks, and returns the question's requests, none of which may have been refused. */
    const question = async (session, prompt, answer) => {
      const from = answers(session).length;
      const report = await session.reportOf(() => ask(session.page, `@toolsearch ${prompt}`));
      const requests = answers(session).slice(from);
      assert.deepEqual(
        requests.flatMap(({ error }) => error ?? []),
        [],
      );
      assert.match(report.answer, answer);
      return requests;
    };

    for (const [model, first, late] of [
      ['toolsearch-anthropic/claude-opus-5-5', 'one', 'two'],
      ['toolsearch-openai/gpt-6-sol', 'two', 'three'],
    ]) {
      scenario(`takes in a tool of a late server: ${model}`, async (session) => {
        await begin(session, model, AUTO);
        const before = await question(session, `${first}_echo {"text": "hi"}`, new RegExp(`${first}: hi`));
        await start(session, late);
        const found = await question(session, `${late}_add {"a": 2, "b": 40}`, /2 \+ 40 = 42/);
        const last = await question(session, `${late}_add {"a": 3, "b": 4}`, /3 \+ 4 = 7/);
        const requests = [...before, ...found, ...last];
        for (const [index, request] of requests.slice(1).entries())
          assert.deepEqual(seen(request).slice(0, seen(requests[index]).length), seen(requests[index]));
        assert.match(JSON.stringify(found[0].body), /Tools have come since this conversation began/);
      });
    }
  });
