import { defineConfig } from 'vitest/config';

/** Gives Vitest the code with the mistake that `run.mjs` tries now, or with marks. */
const planted = {
  name: 'planted',
  enforce: 'pre' as const,
  load: (id: string) => (globalThis as { planted?: ReadonlyMap<string, string> }).planted?.get(id),
};

const shared = { setupFiles: [new URL('./setup.ts', import.meta.url).pathname] };

/** The unit and webview tests as `vitest.config.ts` runs them. */
export default defineConfig({
  plugins: [planted],
  test: {
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          environment: 'node',
          alias: { vscode: new URL('../unit/shim/vscode.ts', import.meta.url).pathname },
        },
      },
      {
        extends: true,
        test: {
          name: 'webview',
          include: ['test/webview/**/*.test.tsx'],
          environment: './test/webview/oneWindow.ts',
          setupFiles: [...shared.setupFiles, 'test/webview/setup.ts'],
        },
      },
    ],
  },
});
