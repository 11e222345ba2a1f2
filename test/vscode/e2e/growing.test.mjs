import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { faultyServer, writeServers } from '../harness/files.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { inspector, openInspector, tab } from '../harness/workbench.mjs';
import { AUTO, answers, begin, seen } from './services.mjs';
import { inOrder, useVscode } from './vscode.mjs';

function writeNamed(root, names) {
  writeServers(root, Object.fromEntries(names.map((name) => [name, faultyServer(name)])));
}

describe('a conversation whose servers start one after another', () => {
  const root = temporaryFolder('growing');
  after(() => root.remove());
  writeNamed(root.path, ['one', 'two', 'three']);
  const settings = { 'chat.mcp.autostart': 'never', 'toolsearch.mode': 'on', 'toolsearch.scope': 'mcp' };
  const scenario = inOrder(useVscode({ workspace: root.path, settings, standIn: 'with keys' }));

  const start = async ({ page }, name) => {
    await tab(page, 'Tools').click();
    const row = inspector(page).locator('.tr.s', { hasText: name });
    await row.getByRole('button', { name: 'Start' }).click();
    await row.getByRole('img', { name: 'running' }).waitFor();
  };

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
      await openInspector(session);
      if (first === 'one') await start(session, first);
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
