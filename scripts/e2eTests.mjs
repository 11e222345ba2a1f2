import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { ROOT } from '../test/vscode/harness/paths.mjs';
import { UserError } from '../test/vscode/harness/say.mjs';
import { unlessUnchanged } from '../test/vscode/harness/unchanged.mjs';
import { packageExtension } from '../test/vscode/harness/vsix.mjs';
import { progress, testsOf } from './nodeTests.mjs';

/**
 * Number of test files that run side by side, each with its own VS Code: one more than there are cores, since a file
 * mostly waits, for servers, reloads and folding.
 */
const AT_ONCE = Math.min(4, availableParallelism() + 1);
const FOLDER = path.join(ROOT, 'test/vscode/e2e');
/** Files that take minutes. They begin first, so that no file runs alone at the end. */
const LONG = ['chat', 'inspector', 'ownClient', 'faults', 'crowd', 'servers', 'twentyServers'];
/** The files and folders that the package is made from. */
const INPUTS = [
  ...['src', 'webview', 'media', 'chat', 'l10n', 'scripts', 'esbuild.mjs', 'tsconfig.json', 'package.json'],
  ...['package-lock.json', 'package.nls.json', 'package.nls.de.json', 'README.md', 'CHANGELOG.md', '.vscodeignore'],
  ...['docs', 'test/vscode/harness/vsix.mjs'],
];

/**
 * Runs the end-to-end tests: the packaged extension in a real VS Code with proposed API off, operated as a user does.
 */
export async function runE2eTests({ grep, vsix, file: wanted }) {
  const files = await testFiles(wanted);
  await ensureDependencies(path.join(ROOT, 'sample'), "the sample's MCP servers");
  process.env.TOOLSEARCH_VSIX = vsix
    ? path.resolve(vsix)
    : await unlessUnchanged('tool-search.vsix', INPUTS, packageExtension);
  // With this variable, a run inside another test runner would report to that runner.
  delete process.env.NODE_TEST_CONTEXT;
  const events = run({
    files,
    concurrency: AT_ONCE,
    ...(grep ? { testNamePatterns: [new RegExp(grep)] } : {}),
  });
  events.compose(progress).pipe(process.stderr);
  const tests = await testsOf(events);
  // With a pattern, node:test reports all other tests as skipped.
  return grep ? tests.filter(({ status }) => status !== 'skipped') : tests;
}

/** The files to run, the long ones first. `wanted` selects files by path or by name, with or without `.test.mjs`. */
async function testFiles(wanted) {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.test.mjs'));
  if (process.env.UPDATE_SCREENSHOTS) files.push('pictures.mjs');
  const short = (file) => path.basename(file).replace(/(\.test)?\.mjs$/, '');
  const names = wanted?.map(short);
  const unknown = names?.find((name) => !files.some((file) => short(file) === name));
  if (unknown !== undefined)
    throw new UserError(`--file: there is no '${unknown}' in test/vscode/e2e. Files: ${files.map(short).join(', ')}.`);
  const place = (file) => LONG.indexOf(short(file)) + 1 || LONG.length + 1;
  return files
    .filter((file) => !names || names.includes(short(file)))
    .sort((a, b) => place(a) - place(b))
    .map((file) => path.join(FOLDER, file));
}
