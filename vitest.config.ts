import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          environment: 'node',
          // Some start processes, which takes seconds on a busy machine.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'webview',
          include: ['test/webview/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          env: { DEBUG_PRINT_LIMIT: '0' },
          testTimeout: 30_000,
        },
      },
    ],
  },
});
