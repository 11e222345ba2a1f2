import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openBrowser, untilWorkbench } from './browser.mjs';
import { chatInput } from './chat.mjs';
import { UserError } from './say.mjs';
import { startServer } from './server.mjs';
import { temporaryFolder } from './temporary.mjs';
import { ensureVscode } from './vscode.mjs';
import { packageCompanion } from './vsix.mjs';
import { until } from './wait.mjs';

/** Number of polls, about a second, after which VS Code is made to save again. */
const SAVE_POLLS = 7;
/** The suite's own limits are shorter. */
const SUITE_TIMEOUT_MS = 280_000;
/** A webview that takes the focus while it loads would close the list that a scenario has just opened. */
const STEADY = { 'workbench.quickOpen.closeOnFocusLost': false };

/**
 * Opens VS Code with the packaged extension and the test companion in a headless browser. Once `untilReady` has
 * resolved, the extension is active, a model can be asked and the chat's input exists. `agentMode` adds a host of agent
 * mode, which needs VS Code's proposed API. `extensions` are folders of more extensions. `proposedApi` names an
 * extension that may use VS Code's proposed API. `fewBuiltIn` leaves out built-in extensions that tests don't use.
 */
export async function startSession({
  vsix,
  workspace,
  settings,
  home,
  trust,
  browser,
  env = {},
  agentMode = false,
  extensions = [],
  proposedApi = agentMode ? 'tool-search-test.agent-host' : undefined,
  fewBuiltIn,
}) {
  const [vscode, ...companions] = await Promise.all([
    ensureVscode(),
    packageCompanion(),
    ...(agentMode ? [packageCompanion('test/vscode/agentHost')] : []),
    ...extensions.map((folder) => packageCompanion(folder)),
  ]);
  const temporary = temporaryFolder('companion');
  const out = temporary.path;
  const closers = [() => temporary.remove()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const server = await startServer({
      vscode,
      vsix: [vsix, ...companions],
      ...(proposedApi ? { proposedApi } : {}),
      settings: { ...STEADY, ...settings },
      home,
      trust,
      fewBuiltIn,
      env: { ...env, COMPANION_OUT: out },
    });
    closers.push(() => server.stop());
    const opened = await openBrowser(browser);
    closers.push(() => opened.close());
    const session = makeSession(server, opened.page, out, close);
    // Waits for the window itself, which takes longer than the page.
    await opened.page.goto(server.address(workspace), { waitUntil: 'commit' });
    await untilWorkbench(opened.page);
    return session;
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Talks with the companion extension through a file for each request and for each reply. `host` returns the id of its
 * process: after a reload, the one before may still read requests.
 */
function companionIn(out, host) {
  let requests = 0;
  /** Sends a request to the companion. */
  const send = async (wanted) => {
    const number = ++requests;
    const request = path.join(out, `request-${host()}-${number}.json`);
    await writeFile(`${request}.tmp`, JSON.stringify(wanted));
    await rename(`${request}.tmp`, request);
    return number;
  };
  /** Sends a request to the companion, and returns its reply. */
  const tell = async (wanted, timeoutMs) => {
    const number = await send(wanted);
    const reply = await until(
      `the companion to answer ${JSON.stringify(wanted)}`,
      () => readFile(path.join(out, `reply-${number}.json`), 'utf8').catch(() => undefined),
      timeoutMs,
    );
    const { error, ...rest } = JSON.parse(reply);
    if (error) throw new Error(`${JSON.stringify(wanted)} could not be done: ${error}`);
    return rest;
  };
  return { send, tell };
}

function makeSession(server, page, out, close) {
  const ready = path.join(out, 'ready.json');
  const reportsFile = path.join(out, 'reports.jsonl');
  const reports = async () => {
    const text = await readFile(reportsFile, 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  let host;
  const { send, tell } = companionIn(out, () => host);
  return {
    page,
    server,
    close,
    /**
     * Runs a command of VS Code or of an extension. `andEnd` is for a command that ends the extension host, so that no
     * reply comes.
     */
    run: (command, { andEnd = false } = {}) => (andEnd ? send({ command }) : tell({ command })),
    /** Changes user settings of the running VS Code; `null` removes one. */
    changeSettings: (settings) => tell({ settings }),
    /** Waits until extensions read this value of a setting, since VS Code writes the user's choice some time later. */
    untilSetting: (setting, value) =>
      until(`${setting} to be ${value}`, async () => isDeepStrictEqual((await tell({ setting })).value, value)),
    /** Makes the chat use another model, `vendor/id`, from the next question on. */
    chooseModel: (model) => tell({ model }),
    /** The models that VS Code offers now, each as `vendor/id`. */
    models: async () => (await tell({ models: true })).models,
    /** The names of all tools that VS Code lists now. */
    tools: async () => (await tell({ tools: true })).tools,
    /** Runs a suite of tests inside the extension host: a file, as `bundleHostSuite` returns it. */
    runSuite: (suite) => tell({ suite }, SUITE_TIMEOUT_MS),
    /** Asks each question in a chat editor of its own, all at once. */
    askInEditors: (chats) => tell({ chats }),
    /** The reports of the turns that have ended. */
    reports,
    /** Does `work` and returns the report of the turn that ends during it or afterwards. */
    async reportOf(work) {
      const before = (await reports()).length;
      await work();
      return until("the turn's report", async () => (await reports())[before]);
    },
    /** Resolves with `{models, folders}`, the number of folders in the window, once the extension can be asked. */
    async untilReady() {
      const text = await until(
        async () =>
          `Tool Search to be active with a model that can be asked. VS Code's log ends with:\n${(await server.log()).slice(-1_000)}`,
        () => readFile(ready, 'utf8').catch(() => undefined),
      );
      const content = JSON.parse(text);
      if (content.error) throw new UserError(content.error);
      host = content.pid;
      await chatInput(page).waitFor();
      return content;
    },
    /** Resolves once VS Code has saved the last turn that ended. */
    async untilSaved() {
      const [last] = (await reports()).slice(-1);
      if (!last) return;
      const ended = (await stat(reportsFile)).mtimeMs;
      const answer = JSON.stringify(last.answer).slice(1, -1);
      let polls = 0;
      await until("VS Code to save the chat's last turn", async () => {
        if (polls++ % SAVE_POLLS === 0) await saveState(page);
        return isSaved(server.userData, answer, ended);
      });
    },
    /** Called before a reload, so that `untilReady` waits for the next extension host. */
    forgetReady: () => rm(ready, { force: true }),
  };
}

/** Makes VS Code save its state as it does when its window loses the focus. Otherwise it does so once a minute. */
const saveState = (page) =>
  page.evaluate(() => {
    const changed = () => document.dispatchEvent(new Event('visibilitychange'));
    document.hasFocus = () => false;
    changed();
    delete document.hasFocus;
    changed();
  });

/** Whether VS Code has saved a chat that contains `answer` after `since`. */
async function isSaved(userData, answer, since) {
  const files = await readdir(path.join(userData, 'User/workspaceStorage'), { recursive: true });
  for (const file of files.filter((name) => /chatSessions[\\/][^\\/]+\.jsonl$/.test(name))) {
    const full = path.join(userData, 'User/workspaceStorage', file);
    if ((await stat(full)).mtimeMs >= since && (await readFile(full, 'utf8')).includes(answer)) return true;
  }
  return false;
}
