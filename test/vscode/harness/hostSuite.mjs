// Builds and runs the host suite: mocha tests inside the extension host of a real VS Code.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { openBrowser } from './browser.mjs';
import { RESULTS, ROOT } from './paths.mjs';
import { run } from './run.mjs';
import { startServer } from './server.mjs';
import { temporaryFolder } from './temporary.mjs';
import { ensureVscode } from './vscode.mjs';

const TIMEOUT_MS = 480_000;
const RESULTS_FILE = path.join(RESULTS, 'host.json');

/** Environment variables for the suite's tests. */
export function hostSuiteEnvironment(grep) {
  return { TOOLSEARCH_HOST_RESULTS: RESULTS_FILE, ...(grep ? { TOOLSEARCH_HOST_GREP: grep } : {}) };
}

/** User settings with which the suite runs. */
export const HOST_SUITE_SETTINGS = { 'toolsearch.searchOnlyModel': 'on' };

/**
 * Builds the extension and bundles the suite. Returns the bundle, whose `run` VS Code calls inside the extension host.
 */
export async function buildHostSuite() {
  await run(process.execPath, ['esbuild.mjs'], { cwd: ROOT });
  const outfile = path.join(ROOT, '.vscode-test/suite.cjs');
  await esbuild.build({
    entryPoints: [path.join(ROOT, 'test/vscode/suite/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    mainFields: ['module', 'main'],
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return outfile;
}

/** A copy of the suite's workspace, so that tests may write into it. */
export async function hostSuiteWorkspace() {
  const temporary = temporaryFolder('workspace');
  await cp(path.join(ROOT, 'test/vscode/fixtures/workspace'), temporary.path, { recursive: true });
  // Adds a server that only this suite uses.
  const file = path.join(temporary.path, '.vscode/mcp.json');
  const { servers } = JSON.parse(await readFile(file, 'utf8'));
  const results = { command: 'node', args: [path.join(ROOT, 'test/fixtures/resultServer.mjs')] };
  await writeFile(file, JSON.stringify({ servers: { ...servers, results } }));
  return temporary;
}

/** Runs the suite inside the extension host of a VS Code without a window. */
export async function runHostSuite({ suite, grep }) {
  await mkdir(RESULTS, { recursive: true });
  const workspace = await hostSuiteWorkspace();
  const server = await startServer({
    vscode: await ensureVscode(),
    settings: HOST_SUITE_SETTINGS,
    env: hostSuiteEnvironment(grep),
    driver: true,
    fewBuiltIn: true,
  });
  const browser = await openBrowser();
  try {
    const { page } = browser;
    const log = [];
    let timer;
    const code = new Promise((resolve, reject) => {
      timer = setTimeout(
        () =>
          reject(new Error(`The host suite didn't end within ${TIMEOUT_MS / 1000} s.\n${log.slice(-20).join('\n')}`)),
        TIMEOUT_MS,
      );
      page.exposeFunction('codeAutomationExit', resolve).catch(reject);
      page.exposeFunction('codeAutomationLog', (type, args) => log.push(`${type}: ${args.join(' ')}`)).catch(reject);
    });
    const remote = (file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
    await page.goto(
      server.address(workspace.path, [
        ['extensionDevelopmentPath', remote(ROOT)],
        ['extensionTestsPath', remote(suite)],
      ]),
    );
    await code.finally(() => clearTimeout(timer));
    return await hostSuiteResults(() => `The window said:\n${log.slice(-20).join('\n')}`);
  } finally {
    await browser.close();
    await server.stop();
    await workspace.remove();
  }
}

/** The tests of the suite's last run, read from its report. */
export async function hostSuiteResults(explain) {
  const text = await readFile(RESULTS_FILE, 'utf8').catch(() => undefined);
  if (!text) throw new Error(`The host suite left no report. ${explain()}`);
  return JSON.parse(text).tests;
}
