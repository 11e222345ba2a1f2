import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { ask, pressBeneath } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

describe('servers and tools on bad days', () => {
  const scenario = useVscode({ fixture: 'workspace', settings: { 'toolsearch.mode': 'on', 'toolsearch.limits.toolTimeoutSeconds': 3 } });

  scenario('the first question waits for a server that starts late', async (session) => {
    const report = await session.reportOf(() => ask(session.page, '@toolsearch late/echo {"text": "here I am"}'));
    assert.equal(report.status, 'answered');
    const { text } = await ask(session.page, '@toolsearch /tools');
    assert.match(text, /late running/);
  });

  scenario('a server that could not be started is named, the others work', async ({ page }) => {
    // VS Code doesn't say that a start has failed; it counts as failed when it has taken too long.
    const text = await until(
      'the missing server to be given up',
      async () => {
        const answer = await ask(page, '@toolsearch /tools');
        return /missing (failed|stopped)/.test(answer.text) && answer.text;
      },
      60_000,
    );
    assert.match(text, /fixture running/);
  });

  scenario('a call that the user skips is reported as such', async (session) => {
    const report = await session.reportOf(() => ask(session.page, '@toolsearch echo {"text": "hello"}', { confirm: 'Skip' }));
    assert.equal(report.calls[0].ok, false);
    assert.match(report.answer, /skip|declin|not run/i);
  });

  scenario('a call that the user allows is run', async (session) => {
    let answer;
    const report = await session.reportOf(async () => {
      answer = await ask(session.page, '@toolsearch echo {"text": "hello"}', { confirm: 'Allow' });
    });
    assert.ok(answer.confirmations > 0, 'VS Code did not ask');
    assert.match(report.answer, /hello/);
    assert.equal(report.calls[0].ok, true);
  });

  scenario('an error result is reported as such', async (session) => {
    const report = await session.reportOf(() => ask(session.page, '@toolsearch refuse {}'));
    assert.match(report.answer, /It was refused/);
  });

  scenario('a result with an image is answered', async (session) => {
    const report = await session.reportOf(() => ask(session.page, '@toolsearch picture {}'));
    assert.equal(report.status, 'answered');
    assert.match(report.answer, /image/i);
  });

  // After a program that could not be run, VS Code starts that server no more: our own client does.
  scenario('a server that could not be started is started from the answer, once it can be', async (session) => {
    await session.changeSettings({ 'toolsearch.mcp.host': 'extension' });
    await until('the missing server to have failed', async () =>
      /missing failed/.test((await ask(session.page, '@toolsearch /tools')).text),
    );
    await ask(session.page, '@toolsearch refuse {}');
    const program = '#!/bin/sh\nexec node "$(dirname "$0")/server.mjs" missing\n';
    await writeFile(path.join(session.workspace, 'not-there'), program, { mode: 0o755 });
    await pressBeneath(session.page, 'Start missing');
    await openInspector(session);
    await tab(session.page, 'Tools').click();
    await untilInspectorShows(session.page, /missing\s*9 tools/);
    const report = await session.reportOf(() => ask(session.page, '@toolsearch missing/add {"a": 1, "b": 2}'));
    assert.match(report.answer, /1 \+ 2 = 3/);
  });
});
