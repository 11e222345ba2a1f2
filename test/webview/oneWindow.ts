import { builtinEnvironments, type Environment } from 'vitest/runtime';

/**
 * happy-dom, set up once for all files that a worker runs. Libraries keep the document with which they were loaded. A
 * new document for each file would require loading them again, which takes longer than most of the tests.
 */
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!global.document) await builtinEnvironments['happy-dom'].setup(global, options);
    return { teardown() {} };
  },
} satisfies Environment;
