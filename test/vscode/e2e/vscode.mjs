import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { KEYS, startStandIn } from '../../standin/server.mjs';
import { RESULTS, ROOT } from '../harness/paths.mjs';
import { startSession } from '../harness/session.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { packageExtension } from '../harness/vsix.mjs';
import { reload } from '../harness/workbench.mjs';

const SCENARIO_TIMEOUT_MS = 300_000;

/** The workspace with real MCP servers. */
export const SAMPLE = path.join(ROOT, 'sample');

/** Hides the developer's own keys, so that tests never reach a service. */
const NO_KEYS = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '' };

/** Settings of a user without a model of their own. */
const SETTINGS = { 'toolsearch.searchOnlyModel': 'on', 'chat.defaultModel': 'search-only' };

/** Settings with which the extension runs the servers, and not VS Code. */
export const OWN_HOST = { 'toolsearch.mcp.host': 'extension', 'chat.mcp.autostart': 'never' };

/**
 * Opens a VS Code for the tests of the surrounding `describe`, once one of them runs. Returns `scenario(name, act)`,
 * which defines a test and passes the session to `act`; a scenario that fails leaves a screenshot of each window behind.
 * It returns a function that plays the scenario unless it was played before, for scenarios that go on from it. `workspace`
 * is opened as it is; `fixture` is the name of a folder of test/vscode/fixtures, of which a copy is opened. The open
 * folder is `session.workspace`. `home` is the HOME of its extensions and servers, by default a temporary one.
 * `agentMode` adds a host of agent mode, as Copilot Chat is one. `extensions` are folders of more extensions, and
 * `proposedApi` names one that may use VS Code's proposed API. `standIn` starts a stand-in for the services of Claude
 * and GPT, as `session.standIn`; `'with keys'` puts its keys into the environment. `fewBuiltIn` leaves out the built-in
 * extensions that tests don't use.
 */
export function useVscode({
  workspace = SAMPLE,
  fixture,
  settings = {},
  home,
  trust,
  browser,
  standIn,
  agentMode,
  extensions,
  proposedApi,
  fewBuiltIn = true,
} = {}) {
  let opened;
  const closers = [];

  const open = async () => {
    const vsix = process.env.TOOLSEARCH_VSIX ?? (await packageExtension());
    const folder = fixture ? await copyOf(fixture, closers) : workspace;
    const services = standIn ? await startStandIn() : undefined;
    if (services) closers.push(() => services.close());
    const addresses = services
      ? { 'toolsearch.anthropic.baseUrl': services.url, 'toolsearch.openai.baseUrl': `${services.url}/v1` }
      : {};
    const env = standIn === 'with keys' ? { ANTHROPIC_API_KEY: KEYS.anthropic, OPENAI_API_KEY: KEYS.openai } : NO_KEYS;
    const session = await startSession({
      vsix,
      workspace: folder,
      settings: { ...SETTINGS, ...addresses, ...settings },
      home,
      trust,
      browser,
      env,
      agentMode,
      extensions,
      proposedApi,
      fewBuiltIn,
    });
    session.standIn = services;
    session.setsKeys = standIn === true;
    session.workspace = folder;
    closers.push(() => session.close());
    const { folders } = await session.untilReady();
    // VS Code may open a workspace file without its folders: if it reads the file just while it makes the workspace. It
    // has them after a reload.
    if (folders === 0) await reload(session);
    return session;
  };
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  return (name, act) => {
    let played;
    const play = (session) => {
      played ??= act(session);
      return played;
    };
    test(name, { timeout: SCENARIO_TIMEOUT_MS }, async () => {
      opened ??= open();
      const session = await opened;
      try {
        await play(session);
      } catch (error) {
        const screenshots = await screenshotsOf(session.page.context().pages(), name);
        error.message = `${error.message}\n${screenshots}`;
        error.stack = `${error.stack}\n${screenshots}`;
        throw error;
      }
    });
    return play;
  };
}

/** Scenarios that go on from each other: one that runs alone plays those before it first. */
export function inOrder(scenario) {
  let before = async () => {};
  return (name, act) => {
    const earlier = before;
    before = scenario(name, async (session) => {
      // What fails before is told by its own test.
      await earlier(session).catch(() => {});
      await act(session);
    });
  };
}

/** Takes a screenshot of each window. Returns a line for each. */
async function screenshotsOf(windows, name) {
  const base = name.replace(/[^\w]+/g, '-').slice(0, 80);
  await mkdir(RESULTS, { recursive: true });
  const lines = [];
  for (const [index, window] of windows.entries()) {
    const file = path.join(RESULTS, index ? `${base}-${index + 1}.png` : `${base}.png`);
    await window.screenshot({ path: file }).catch(() => {});
    lines.push(`screenshot: ${path.relative(ROOT, file)}`);
  }
  return lines.join('\n');
}

async function copyOf(fixture, closers) {
  const temporary = temporaryFolder('workspace');
  closers.push(() => temporary.remove());
  await cp(path.join(ROOT, 'test/vscode/fixtures', fixture), temporary.path, { recursive: true });
  return temporary.path;
}
