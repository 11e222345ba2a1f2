import path from 'node:path';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { buildHostSuite, runHostSuite } from '../test/vscode/harness/hostSuite.mjs';
import { ROOT } from '../test/vscode/harness/paths.mjs';

/** The host suite: mocha inside the extension host of a real VS Code without a window. */
export async function runHostTests({ grep }) {
  await ensureDependencies(path.join(ROOT, 'sample'), "the sample's MCP servers");
  return runHostSuite({ suite: await buildHostSuite(), grep });
}
