import { defineConfig } from 'vitest/config';

/** Folders whose tests run, separated by commas: those that mirror the code with mistakes. */
const folders = process.env.MUTATION_TESTS?.split(',') ?? ['test/unit/core'];

/** The unit tests as `vitest.config.ts` runs them. */
export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    environment: 'node',
    alias: { vscode: new URL('../unit/shim/vscode.ts', import.meta.url).pathname },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
