import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], environment: 'node' } },
      { esbuild: { jsx: 'automatic' }, test: { name: 'webview', include: ['test/webview/**/*.test.{ts,tsx}'], environment: 'happy-dom' } },
    ],
  },
});
