import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RESULTS, ROOT } from '../test/vscode/harness/paths.mjs';
import { finish } from '../test/vscode/harness/run.mjs';

/**
 * The steps of `npm test`, from the quick to the slow. Each returns its tests as `{name, status, message}`, with the
 * status passed, failed or skipped.
 */
export const STEPS = {
  types: () =>
    check('TypeScript finds nothing', [
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'webview'],
    ]),
  lint: () => check('Biome finds nothing', [['biome', 'check', '--error-on-warnings', '.']]),
  unit: (options) => vitest('unit', options),
  webview: (options) => vitest('webview', options),
  e2e: async (options) => (await import('./e2eTests.mjs')).runE2eTests(options),
};

/** Runs commands that only succeed or fail side by side, as one test. */
async function check(name, commands) {
  const ended = await Promise.all(commands.map(([command, ...args]) => finish(npmBin(command), args, { cwd: ROOT })));
  const failed = ended.filter(({ code }) => code !== 0);
  if (failed.length === 0) return [{ name, status: 'passed' }];
  return [{ name, status: 'failed', message: failed.map(({ output }) => output).join('\n') }];
}

function npmBin(name) {
  return path.join(ROOT, 'node_modules/.bin', name);
}

async function vitest(project, { grep, file: files = [] }) {
  const file = path.join(RESULTS, `${project}.json`);
  const own = files.filter((name) => name.includes(`test/${project}/`));
  const filter = grep ? ['--testNamePattern', grep] : [];
  const args = [
    'run',
    '--project',
    project,
    '--passWithNoTests',
    '--reporter=json',
    `--outputFile=${file}`,
    ...filter,
    ...own,
  ];
  const { output } = await finish(npmBin('vitest'), args, { cwd: ROOT });
  const report = JSON.parse(
    await readFile(file, 'utf8').catch(() => Promise.reject(new Error(`vitest wrote no report.\n${output}`))),
  );
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      name: test.fullName.trim(),
      status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      message: (test.failureMessages ?? []).join('\n'),
    }));
    // A file that can't be loaded reports no test that failed.
    const broken = status === 'failed' && !tests.some((test) => test.status === 'failed');
    return broken ? [...tests, { name: path.relative(ROOT, name), status: 'failed', message }] : tests;
  });
}
