import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { writeBelow, writeServers } from '../harness/files.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { inspector, openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { AUTO, answers, begin, CLAUDE, seen } from './services.mjs';
import { inOrder, useVscode } from './vscode.mjs';

const FAULTY = path.join(ROOT, 'test/fixtures/faultyServer.mjs');
/** The file in the workspace whose text is the end of the description of each server's add. */
const WORDS = 'words.txt';

function writeNamed(root, names) {
  const args = ['--words', path.join(root, WORDS), '--worded', 'add'];
  const server = (name) => ({ command: process.execPath, args: [FAULTY, name, ...args] });
  writeBelow(root, WORDS, '');
  writeServers(root, Object.fromEntries(names.map((name) => [name, server(name)])));
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

  scenario('shows a cache miss with the word of its service', async (session) => {
    await session.changeSettings({ 'toolsearch.delivery': 'local' });
    await question(session, 'three_add {"a": 5, "b": 6}', /5 \+ 6 = 11/);
    await tab(session.page, 'Turns').click();
    await untilInspectorShows(
      session.page,
      /another delivery than before \(the service reports: prompt_cache_key_changed\)/,
    );
  });

  scenario('names a discovered tool whose changed definition lost the cache', async (session) => {
    // Their definitions make the requests long enough to be cached.
    const eager = { two: ['*'], three: ['*'] };
    await begin(session, CLAUDE, { 'toolsearch.delivery': 'server', 'toolsearch.eagerTools': eager });
    await question(session, 'one_add {"a": 1, "b": 2}', /1 \+ 2 = 3/);
    writeBelow(root.path, WORDS, ', and more');
    await question(session, 'one_change {}', /changed/);
    await until('the new list', async () => (await session.tools()).some((name) => /one_brand_new$/.test(name)));
    await question(session, 'one_add {"a": 3, "b": 4}', /3 \+ 4 = 7/);
    await untilInspectorShows(session.page, /the definition of one\/add changed/);
  });
});
