import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { ask, cancel, isAnswered, shown, submit } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { useVscode } from './vscode.mjs';

const FAULTY = path.join(ROOT, 'test/fixtures/faultyServer.mjs');

/** Faults of a server of its own, by its name: `prompt` is what has it called, `says` what comes of it. */
const SERVERS = {
  slow: { prompt: 'slow/add {"a": 2, "b": 40}', says: /slow: 2 \+ 40 = 42/ },
  mute: { state: /mute (failed|stopped)/ },
  refuse: { state: /refuse (failed|stopped)/ },
  dead: { state: /dead (failed|stopped)/ },
  silent: { state: /silent (failed|stopped)/ },
  noise: { prompt: 'noise/add {"a": 2, "b": 40}', says: /noise: 2 \+ 40 = 42/ },
  twins: { prompt: 'twins/add {"a": 2, "b": 40}', says: /twins: 2 \+ 40 = 42/ },
  circle: { state: /circle (failed|stopped)/ },
  huge: { prompt: 'huge/weighty {}', says: /huge: / },
};

/** Faults in the middle of a call, of one server. */
const CALLS = {
  hang: { cancelled: true },
  die: { says: /flaky_die was cut off: its server stopped during the call\./ },
  garbage: { cancelled: true },
  // What VS Code's own code stumbles over.
  nonsense: { says: /flaky_nonsense failed: \S*content is not iterable/ },
  megabytes: { says: /(0123456789abcdef){100}/ },
  change: { says: /changed/, next: { prompt: 'flaky/brand_new {"text": "new"}', says: /flaky: new/ } },
};

const NOTE =
  'Note: VS Code holds each question back until every server of mcp.json has started or the user skips it, so those that never start are taken out of it after their turn. It tells no extension whether it asks the user about a call, so a call that hangs is named after 3 s and cancelled by the user.';

// Those that the extension runs itself are shown without a VS Code: test/unit/tools/mcp.
describe('faults of servers that VS Code runs', () => {
  const folder = temporaryFolder('faults');
  const server = (name, fault) => ({
    command: process.execPath,
    args: [FAULTY, name, ...(fault ? ['--fault', fault] : []), '${workspaceFolder}'],
  });
  const servers = { steady: server('steady'), flaky: server('flaky') };
  for (const name of Object.keys(SERVERS)) servers[name] = server(name, name);
  const write = () => writeFileSync(path.join(folder.path, '.vscode/mcp.json'), JSON.stringify({ servers }));
  mkdirSync(path.join(folder.path, '.vscode'));
  write();
  const processes = (name = '') =>
    execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`faultyServer.mjs ${name}`) && line.includes(folder.path)).length;

  const rows = [];
  const record = (fault, outcome, usable) => rows.push([fault, outcome.replace(/\s+/g, ' ').trim().slice(0, 80), usable ? 'yes' : 'no']);
  let asked = 0;
  /** Another server answers, in the same conversation, which still knows what was found in it. */
  const steadyAnswers = async (session) => {
    const [a, b] = [++asked, 1000];
    const report = await session.reportOf(() => ask(session.page, `@toolsearch steady/add {"a": ${a}, "b": ${b}}`));
    assert.match(report.answer, new RegExp(`steady: ${a} \\+ ${b} = ${a + b}`));
    assert.ok(!report.discovered.includes('steady/add') || asked === 1, 'the conversation has been lost');
    return true;
  };
  /** Asks; one that hangs is cancelled once its tool has been named as slow. */
  const askPatiently = (session, prompt, slow) =>
    session.reportOf(async () => {
      await submit(session.page, `@toolsearch ${prompt}`);
      const outcome = await until(
        'an answer, or a tool that is named as slow',
        async () => ((await isAnswered(session.page)) ? 'answered' : slow?.test(await shown(session.page)) ? 'slow' : undefined),
        60_000,
      );
      if (outcome === 'slow') await cancel(session.page);
    });

  const scenario = useVscode({
    workspace: folder.path,
    settings: {
      'toolsearch.mode': 'on',
      'toolsearch.limits.toolTimeoutSeconds': 3,
    },
  });

  // Last of all: after VS Code has been closed.
  after(async () => {
    await until('all servers to have ended', () => processes() === 0, 10_000);
    const all = [['fault', 'outcome', 'other server usable', 'processes left'], ...rows.map((row) => [...row, String(processes(row[0]))])];
    const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
    console.log(all.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')).join('\n'));
    console.log(NOTE);
    await folder.remove();
  });

  /** What `/tools` says once it says all of that. */
  const listed = (session, what, patterns) =>
    until(
      what,
      async () => {
        const { text } = await ask(session.page, '@toolsearch /tools');
        return patterns.every((pattern) => pattern.test(text)) && text;
      },
      100_000,
    );

  scenario('a healthy server answers beside them', async (session) => {
    // Whoever skips the servers that are starting skips this one too, where it is slow.
    await listed(session, 'the healthy server to run', [/steady running/]);
    await steadyAnswers(session);
  });

  scenario('servers that do not start are named as such', async (session) => {
    const expected = Object.entries(SERVERS).filter(([, fault]) => fault.state);
    const states = expected.map(([, fault]) => fault.state);
    const text = await listed(session, 'all of them to be given up', states);
    const usable = await steadyAnswers(session);
    // VS Code would start them again, and hold back, with each question.
    for (const [name] of expected) delete servers[name];
    write();
    await until('their processes to have ended', () => expected.every(([name]) => processes(name) === 0));
    for (const [name] of expected) record(name, text.match(new RegExp(`${name} (failed|stopped)[^\n]*`))?.[0] ?? '', usable);
  });

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
      if (next) assert.match((await session.reportOf(() => ask(session.page, `@toolsearch ${next.prompt}`))).answer, next.says);
      record(
        name,
        `${report.status}: ${cancelled ? 'named as slow, then cancelled' : report.answer.slice(-200)}`,
        await steadyAnswers(session),
      );
    });
  }
});
