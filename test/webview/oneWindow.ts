import { builtinEnvironments, type Environment } from 'vitest/runtime';

/**
 * happy-dom, set up once for all files that a worker runs. Libraries keep the document that they were loaded with, so a
 * new one for each file would need them loaded again too, which takes longer than most of the tests.
 */
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!global.document) await builtinEnvironments['happy-dom'].setup(global, options);
    return { teardown() {} };
  },
} satisfies Environment;
