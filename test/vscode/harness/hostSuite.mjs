// Builds the host suite: mocha tests that run inside the extension host of a real VS Code.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { faultyServer, writeServers } from './files.mjs';
import { ROOT } from './paths.mjs';
import { run } from './run.mjs';

const BUILT = path.join(ROOT, '.vscode-test');

/** User settings with which the suite runs. */
export const HOST_SUITE_SETTINGS = { 'toolsearch.searchOnlyModel': 'on' };

/** The servers that the suite calls, as an `mcp.json` defines them. */
export const HOST_SUITE_SERVERS = {
  fixture: faultyServer('fixture'),
  results: { command: process.execPath, args: [path.join(ROOT, 'test/fixtures/resultServer.mjs')] },
};

/** Bundles the suite. Returns the bundle, whose `run` is called inside the extension host. */
export async function bundleHostSuite() {
  const outfile = path.join(BUILT, 'suite.cjs');
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

/** Builds the extension, bundles the suite and writes its workspace. Returns both paths. */
export async function buildHostSuite() {
  await run(process.execPath, ['esbuild.mjs'], { cwd: ROOT });
  const workspace = path.join(BUILT, 'workspace');
  await rm(workspace, { recursive: true, force: true });
  writeServers(workspace, HOST_SUITE_SERVERS);
  return { suite: await bundleHostSuite(), workspace };
}
