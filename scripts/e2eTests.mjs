import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../test/vscode/harness/paths.mjs';
import { packageExtension } from '../test/vscode/harness/vsix.mjs';
import { testsOf } from './nodeTests.mjs';

/** Files that run side by side, each with a VS Code of its own: one waits most of the time, for its servers, its reloads, its folds. */
const AT_ONCE = 2;
const FOLDER = path.join(ROOT, 'test/vscode/e2e');
/** What takes minutes begins first, so that nothing runs alone at the end. */
const LONG = ['chat', 'inspector', 'faults', 'ownClient', 'crowd', 'tenChats'];

/** End to end: the packaged extension in a real VS Code, used as a user does, with proposed API off. */
export async function runE2eTests({ grep, vsix }) {
  await ensureDependencies(path.join(ROOT, 'sample'), "the sample's MCP servers");
  process.env.TOOLSEARCH_VSIX = vsix
    ? path.resolve(vsix)
    : await packageExtension(path.join(RESULTS, 'tool-search.vsix'));
  // Under a test runner of its own, this one would report to that.
  delete process.env.NODE_TEST_CONTEXT;
  const events = run({
    files: (await testFiles()).map((file) => path.join(FOLDER, file)),
    concurrency: AT_ONCE,
    ...(grep ? { testNamePatterns: [new RegExp(grep)] } : {}),
  });
  events.compose(spec).pipe(process.stderr);
  const tests = await testsOf(events);
  // With a pattern, node:test reports all other tests as skipped.
  return grep ? tests.filter(({ status }) => status !== 'skipped') : tests;
}

async function testFiles() {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.test.mjs'));
  if (process.env.UPDATE_SCREENSHOTS) files.push('pictures.mjs');
  const place = (file) => LONG.indexOf(file.replace('.test.mjs', '')) + 1 || LONG.length + 1;
  return files.sort((a, b) => place(a) - place(b));
}
