import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** The suite's test files. Each defines its tests when it is loaded. */
const FILES: readonly (() => Promise<unknown>)[] = [
  () => import('./extension.test'),
  () => import('./results.test'),
  () => import('./settings.test'),
];

interface Result {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
}

/** A reporter that prints nothing: the results go into a file, since the extension host's console isn't shown. */
class Silent extends Mocha.reporters.Base {
  override epilogue(): void {}
}

/** Runs the suite inside the extension host. A rejection is a failed run, and tells what failed. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: Silent });
  // Defines describe, it and the hooks, which the files use while they load.
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha);
  for (const load of FILES) await load();

  const results: Result[] = [];
  await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('pass', (test) => results.push({ name: test.fullTitle(), status: 'passed' }))
      .on('fail', (test, error: Error) =>
        results.push({ name: test.fullTitle(), status: 'failed', message: error.stack ?? error.message }),
      )
      .on('pending', (test) => results.push({ name: test.fullTitle(), status: 'skipped' }));
  });
  const file = process.env.TOOLSEARCH_HOST_RESULTS;
  if (file) writeFileSync(file, JSON.stringify({ tests: results }));
  const failed = results.filter(({ status }) => status === 'failed');
  const told = failed.map(({ name, message }) => `✗ ${name}\n${message}`).join('\n');
  if (failed.length > 0 || results.length === 0)
    throw new Error(`${failed.length} of ${results.length} tests failed.\n${told}`);
}
