import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { ask as askAnyhow, cancel, isAnswered, shown, submit } from '../harness/chat.mjs';
import { faultyServer, writeServers } from '../harness/files.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { until } from '../harness/wait.mjs';
import { useVscode } from './vscode.mjs';

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

const ask = (page, text, options) => askAnyhow(page, text, { hanging: HANGING, ...options });

// The servers that VS Code runs. Unit tests in test/unit/tools/mcp cover those that the extension runs.
describe('servers that VS Code runs, and tools, on bad days', () => {
  const folder = temporaryFolder('faults');
  const server = (name, fault) => faultyServer(name, ...(fault ? ['--fault', fault] : []), '${workspaceFolder}');
  const servers = { steady: server('steady'), flaky: server('flaky') };
  for (const [name, { called }] of Object.entries(SERVERS))
    servers[name] = called ? server(called) : server(name, name);
  servers.missing = { command: '${workspaceFolder}/not-there', args: [] };
  const write = () => writeServers(folder.path, servers);
  write();
  const running = () => faultyServers(folder.path);

  let asked = 0;
  /** Asks another server in the same conversation, which still knows the tool that was found there. */
  const steadyAnswers = async (session) => {
    const [a, b] = [++asked, 1000];
    const report = await session.reportOf(() => ask(session.page, `@toolsearch steady/add {"a": ${a}, "b": ${b}}`));
    assert.match(report.answer, new RegExp(`steady: ${a} \\+ ${b} = ${a + b}`));
    assert.ok(!report.discovered.includes('steady/add') || asked === 1, 'the conversation has been lost');
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
    settings: { 'toolsearch.mode': 'on', 'toolsearch.limits.toolTimeoutSeconds': 1 },
  });

  // Runs last, after VS Code has been closed.
  after(async () => {
    await until('all servers to have ended', () => running().length === 0);
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
    });
  }

  scenario('another server answers after all of these', steadyAnswers);

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
    await steadyAnswers(session);
    // VS Code would try to start the failing servers again with each question, and hold the question back.
    for (const [name] of failing) delete servers[name];
    write();
    await until('their processes to have ended', () => !failing.some(([name]) => running().includes(name)));
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
      await steadyAnswers(session);
    });
  }
});
