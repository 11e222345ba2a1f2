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

/** Runs the suite. VS Code calls this inside the extension host and waits for it; a rejection is a failed run. */
export async function run(): Promise<void> {
  const grep = process.env.TOOLSEARCH_HOST_GREP;
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30_000,
    reporter: Silent,
    ...(grep ? { grep: new RegExp(grep) } : {}),
  });
  // Defines describe, it and the hooks, which the files use while they load.
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha);
  for (const load of FILES) await load();

  const results: Result[] = [];
  const failures = await new Promise<number>((resolve) => {
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
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
