import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
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
});
