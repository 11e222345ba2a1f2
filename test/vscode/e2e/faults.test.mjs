import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask as askAnyhow, cancel, isAnswered, shown, submit } from '../harness/chat.mjs';
import { writeServers } from '../harness/files.mjs';
import { ROOT } from '../harness/paths.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { inspector, openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { useVscode } from './vscode.mjs';

const FAULTY = path.join(ROOT, 'test/fixtures/faultyServer.mjs');

/**
 * Faults that each have a server of their own, by the server's name. `prompt` is a question that calls the server,
 * `says` the expected answer. Of the servers that never start, VS Code waits for those with `hangs` until the user
 * skips them.
 */
const SERVERS = {
  slow: { prompt: 'slow/add {"a": 2, "b": 40}', says: /slow: 2 \+ 40 = 42/ },
  mute: { state: /mute (failed|stopped)/, hangs: true },
  refuse: { state: /refuse (failed|stopped)/ },
  dead: { state: /dead (failed|stopped)/ },
  silent: { state: /silent (failed|stopped)/, hangs: true },
  noise: { prompt: 'noise/add {"a": 2, "b": 40}', says: /noise: 2 \+ 40 = 42/ },
  // Its entry in mcp.json holds a secret, and its name appears in all of its answers.
  secret: {
    called: 'token=planted-in-mcp-json',
    prompt: 'secret/add {"a": 2, "b": 40}',
    says: /token=\[secret\]: 2 \+ 40 = 42/,
  },
  twins: { prompt: 'twins/add {"a": 2, "b": 40}', says: /twins: 2 \+ 40 = 42/ },
  circle: { state: /circle (failed|stopped)/, hangs: true },
  huge: { prompt: 'huge/weighty {}', says: /huge: / },
};

const HANGING = Object.keys(SERVERS).filter((name) => SERVERS[name].hangs);

/** A server whose program doesn't exist at first. */
const MISSING = 'missing';

/** Faults in the middle of a call, all of one server. */
const CALLS = {
  hang: { cancelled: true },
  die: { says: /flaky_die was cut off: its server stopped during the call\./ },
  garbage: { cancelled: true },
  // An answer with which VS Code's own code fails.
  nonsense: { says: /flaky_nonsense failed: \S*content is not iterable/ },
  megabytes: { says: /(0123456789abcdef){100}/ },
  change: { says: /changed/, next: { prompt: 'flaky/brand_new {"text": "new"}', says: /flaky: new/ } },
};

const NOTE =
  'Note: VS Code holds each question back until every server of mcp.json has started or the user skips it, so those that never start are taken out of it after their turn. It tells no extension whether it asks the user about a call, so a call that hangs is named after 1 s and cancelled by the user.';

const ask = (page, text, options) => askAnyhow(page, text, { hanging: HANGING, ...options });

// The servers that VS Code runs. Unit tests in test/unit/tools/mcp cover those that the extension runs.
describe('servers that VS Code runs, and tools, on bad days', () => {
  const folder = temporaryFolder('faults');
  const server = (name, fault) => ({
    command: process.execPath,
    args: [FAULTY, name, ...(fault ? ['--fault', fault] : []), '${workspaceFolder}'],
  });
  const servers = { steady: server('steady'), flaky: server('flaky') };
  for (const [name, { called }] of Object.entries(SERVERS))
    servers[name] = called ? server(called) : server(name, name);
  servers[MISSING] = { command: '${workspaceFolder}/not-there', args: [] };
  const write = () => writeServers(folder.path, servers);
  write();
  const running = () => faultyServers(folder.path);

  const rows = [];
  const record = (fault, outcome, usable) =>
    rows.push([fault, outcome.replace(/\s+/g, ' ').trim().slice(0, 80), usable ? 'yes' : 'no']);
  let asked = 0;
  /** Asks another server in the same conversation, which still knows the tool that was found there. */
  const steadyAnswers = async (session) => {
    const [a, b] = [++asked, 1000];
    const report = await session.reportOf(() => ask(session.page, `@toolsearch steady/add {"a": ${a}, "b": ${b}}`));
    assert.match(report.answer, new RegExp(`steady: ${a} \\+ ${b} = ${a + b}`));
    assert.ok(!report.discovered.includes('steady/add') || asked === 1, 'the conversation has been lost');
    return true;
  };
  /** Asks a question. A call that hangs is cancelled once the chat has named its tool as slow. */
  const askPatiently = (session, prompt, slow) =>
    session.reportOf(async () => {
      await submit(session.page, `@toolsearch ${prompt}`);
      const outcome = await until(
        'an answer, or a tool that is named as slow',
        async () =>
          (await isAnswered(session.page)) ? 'answered' : slow?.test(await shown(session.page)) ? 'slow' : undefined,
        60_000,
      );
      if (outcome === 'slow') await cancel(session.page);
    });

  const scenario = useVscode({
    workspace: folder.path,
    settings: {
      'toolsearch.mode': 'on',
      'toolsearch.limits.toolTimeoutSeconds': 1,
    },
  });

  // Runs last, after VS Code has been closed.
  after(async () => {
    await until('all servers to have ended', () => running().length === 0);
    const all = [
      ['fault', 'outcome', 'other server usable', 'processes left'],
      ...rows.map((row) => [...row, String(running().filter((name) => name === row[0]).length)]),
    ];
    const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
    console.log(all.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')).join('\n'));
    console.log(NOTE);
    await folder.remove();
  });

  // The slow server comes first, since the first question waits for it.
  for (const [name, fault] of Object.entries(SERVERS)) {
    const { prompt, says } = fault;
    if (!prompt) continue;
    scenario(`${name} at its start`, async (session) => {
      const report = await session.reportOf(() => ask(session.page, `@toolsearch ${prompt}`));
      assert.equal(report.status, 'answered');
      assert.match(report.answer, says);
      record(name, `${report.status}: ${report.answer}`, await steadyAnswers(session));
    });
  }

  // VS Code doesn't report a failed start. So a server counts as failed when it takes too long while others have
  // answered.
  scenario('servers that do not start are named as such', async (session) => {
    const failing = Object.entries(SERVERS).filter(([, fault]) => fault.state);
    const states = [...failing.map(([, fault]) => fault.state), /missing (failed|stopped)/];
    const text = await until(
      'all of them to be given up',
      async () => {
        const { text } = await ask(session.page, '@toolsearch /tools');
        return states.every((state) => state.test(text)) && text;
      },
      100_000,
    );
    assert.match(text, /steady running/);
    const usable = await steadyAnswers(session);
    // VS Code would try to start the failing servers again with each question, and hold the question back.
    for (const [name] of failing) delete servers[name];
    write();
    await until('their processes to have ended', () => !failing.some(([name]) => running().includes(name)));
    for (const [name] of failing)
      record(name, text.match(new RegExp(`${name} (failed|stopped)[^\n]*`))?.[0] ?? '', usable);
  });

  scenario('a call that the user skips is reported as such', async (session) => {
    const report = await session.reportOf(() =>
      ask(session.page, '@toolsearch steady/write_note {"text": "hello"}', { confirm: 'Skip' }),
    );
    assert.equal(report.calls[0].ok, false);
    assert.match(report.answer, /skip|declin|not run/i);
  });

  scenario('a call that the user allows is run', async (session) => {
    let answer;
    const report = await session.reportOf(async () => {
      answer = await ask(session.page, '@toolsearch steady/write_note {"text": "hello"}');
    });
    assert.ok(answer.confirmations > 0, 'VS Code did not ask');
    assert.match(report.answer, /noted hello/);
    assert.equal(report.calls[0].ok, true);
  });

  for (const [name, fault] of Object.entries(CALLS)) {
    const { says, cancelled, next } = fault;
    scenario(`${name} in mid-call`, async (session) => {
      const report = await askPatiently(session, `flaky/${name} {}`, cancelled && /flaky\/\w+ has not answered/);
      if (cancelled) assert.equal(report.status, 'cancelled');
      else {
        assert.equal(report.status, 'answered');
        assert.match(report.answer, says);
        assert.ok(report.answer.length < 200_000, `${report.answer.length} characters`);
      }
      if (next)
        assert.match((await session.reportOf(() => ask(session.page, `@toolsearch ${next.prompt}`))).answer, next.says);
      record(
        name,
        `${report.status}: ${cancelled ? 'named as slow, then cancelled' : report.answer.slice(-200)}`,
        await steadyAnswers(session),
      );
    });
  }

  // VS Code doesn't start a server again after its program could not be run. The extension's own client does.
  scenario('the inspector starts a server that could not start before', async (session) => {
    await session.changeSettings({ 'toolsearch.mcp.host': 'extension', 'toolsearch.limits.toolTimeoutSeconds': null });
    await until('the missing server to have failed', async () =>
      /missing failed/.test((await ask(session.page, '@toolsearch /tools')).text),
    );
    const program = `#!/bin/sh\nexec '${process.execPath}' '${FAULTY}' ${MISSING} "$(dirname "$0")"\n`;
    writeFileSync(path.join(folder.path, 'not-there'), program, { mode: 0o755 });
    await openInspector(session);
    await tab(session.page, 'Tools').click();
    await inspector(session.page)
      .getByText(/servers failed:/)
      .click();
    await inspector(session.page).getByRole('button', { name: 'Retry' }).first().click();
    await inspector(session.page).getByRole('textbox', { name: 'Filter tools' }).fill('missing/add');
    await untilInspectorShows(session.page, /missing\s*1\/\d+/);
    const report = await session.reportOf(() => ask(session.page, '@toolsearch missing/add {"a": 1, "b": 2}'));
    assert.match(report.answer, /missing: 1 \+ 2 = 3/);
  });
});
