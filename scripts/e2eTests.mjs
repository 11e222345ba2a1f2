import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../test/vscode/harness/paths.mjs';
import { finish } from '../test/vscode/harness/run.mjs';
import { packageExtension } from '../test/vscode/harness/vsix.mjs';

/** Files that run side by side, each with a VS Code of its own: one waits most of the time, for its servers, its reloads, its folds. */
const AT_ONCE = 2;
const FOLDER = path.join(ROOT, 'test/vscode/e2e');

/** End to end: the packaged extension in a real VS Code, used as a user does, with proposed API off. */
export async function runE2eTests({ grep, vsix }) {
  await ensureDependencies(path.join(ROOT, 'sample'), "the sample's MCP servers");
  const packed = vsix ? path.resolve(vsix) : await packageExtension(path.join(RESULTS, 'tool-search.vsix'));
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.test.mjs')).sort();
  const results = path.join(RESULTS, 'e2e.jsonl');
  const args = [
    ...['--test', `--test-concurrency=${AT_ONCE}`],
    ...['--test-reporter=spec', '--test-reporter-destination=stderr'],
    ...[`--test-reporter=${path.join(FOLDER, 'reporter.mjs')}`, `--test-reporter-destination=${results}`],
    ...(grep ? [`--test-name-pattern=${grep}`] : []),
    ...files.map((file) => path.join(FOLDER, file)),
  ];
  // Under a test runner of its own, this one would report to that.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { code, output } = await finish(process.execPath, args, { cwd: ROOT, env: { ...env, TOOLSEARCH_VSIX: packed }, live: true });
  const text = await readFile(results, 'utf8').catch(() => '');
  const tests =
    text.trim() === ''
      ? []
      : text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
  if (code !== 0 && !tests.some(({ status }) => status === 'failed')) throw new Error(`The test runner ended with ${code}.\n${output}`);
  // With a pattern, node:test reports all other tests as skipped.
  return grep ? tests.filter(({ status }) => status !== 'skipped') : tests;
}
