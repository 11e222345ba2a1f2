import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long. In a fresh clone vitest only knows sizes, and would start them last. */
const LONG = /(axe|axeStates|hostile|processes|soak|defects|longConversation)\.test\.tsx?$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = (file: TestSpecification) => LONG.test(file.moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const unit = (name: string, env: Record<string, string>) =>
  ({
    extends: true,
    test: {
      name,
      env,
      include: ['test/unit/**/*.test.ts'],
      // One more than there are cores: it works while the others wait for processes, threads and retries.
      maxWorkers: availableParallelism() + 1,
      // Projects with different numbers of workers run one after another.
      sequence: { groupOrder: 1, sequencer: LongFirst },
      environment: 'node',
      alias: { vscode: new URL('./test/unit/shim/vscode.ts', import.meta.url).pathname },
      // Some start processes, which takes seconds on a busy machine.
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  }) as const;

export default defineConfig({
  test: {
    // Files share what they import, since loading it again takes longer than most of them run. So a test leaves modules,
    // the environment and the document as it found them.
    pool: 'threads',
    isolate: false,
    // By default vitest leaves one core free.
    maxWorkers: '100%',
    // Tests that run side by side wait for processes and retries most of their time.
    maxConcurrency: 10,
    // `npm run coverage`: the lines of core, and those that no test runs.
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts'],
      reportsDirectory: 'test-results/coverage',
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: { lines: 95 },
    },
    sequence: { sequencer: LongFirst },
    projects: [
      unit('unit', {}),
      // `npm run fuzz`: the unit tests with every case of those that are random.
      unit('fuzz', { FUZZ: '1' }),
      {
        extends: true,
        test: {
          name: 'webview',
          include: ['test/webview/**/*.test.{ts,tsx}'],
          environment: './test/webview/oneWindow.ts',
          setupFiles: ['test/webview/setup.ts'],
          env: { DEBUG_PRINT_LIMIT: '0' },
          testTimeout: 120_000,
        },
      },
    ],
  },
});
