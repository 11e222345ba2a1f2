import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders and files whose tests run, separated by commas. */
const places = process.env.MUTATION_TESTS?.split(',') ?? ['test/unit/core'];
const testsIn = (root: string) =>
  places
    .filter((place) => place.startsWith(root))
    .map((place) => (/\.tsx?$/.test(place) ? place : `${place}/**/*.test.{ts,tsx}`));

/** The first test that fails ends a run. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

const shared = { setupFiles: [new URL('./noShrinking.ts', import.meta.url).pathname] };

/** The unit and webview tests as `vitest.config.ts` runs them. */
export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: QuickFirst },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'unit',
          include: testsIn('test/unit'),
          environment: 'node',
          alias: { vscode: new URL('../unit/shim/vscode.ts', import.meta.url).pathname },
        },
      },
      {
        extends: true,
        test: {
          name: 'webview',
          include: testsIn('test/webview'),
          environment: './test/webview/oneWindow.ts',
          setupFiles: [...shared.setupFiles, 'test/webview/setup.ts'],
        },
      },
    ],
  },
});
