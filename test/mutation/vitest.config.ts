import { defineConfig } from 'vitest/config';

/** Folders and files whose tests run, separated by commas. */
const places = process.env.MUTATION_TESTS?.split(',') ?? ['test/unit/core'];

/** The unit tests as `vitest.config.ts` runs them. */
export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    include: places.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
    environment: 'node',
    setupFiles: [new URL('./noShrinking.ts', import.meta.url).pathname],
    alias: { vscode: new URL('../unit/shim/vscode.ts', import.meta.url).pathname },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
