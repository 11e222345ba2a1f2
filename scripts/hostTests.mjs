import { buildHostSuite, runHostSuite } from '../test/vscode/harness/hostSuite.mjs';

/** The host suite: mocha inside the extension host of a real VS Code without a window. */
export async function runHostTests({ grep }) {
  return runHostSuite({ suite: await buildHostSuite(), grep });
}
