// `npm run conformance`: MCP's public conformance suite against the client with which Tool Search runs servers itself.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundleTypeScript } from '../importTypeScript.mjs';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { main, say } from '../vscode/harness/say.mjs';

/** Every scenario for clients that needs no sign-in: our client has none, and says so. */
const SCENARIOS = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];
/** The suite needs a newer Node than Tool Search. */
const MIN_NODE = 22;

await main(async () => {
  await ensureDependencies(path.join(ROOT, 'test/conformance'), 'the conformance suite');
  const client = await bundleTypeScript('test/conformance/client.ts');
  const node = await newerNode();
  let failed = 0;
  for (const scenario of SCENARIOS) {
    const { code, output } = await runScenario(node, scenario, client);
    if (code !== 0) failed++;
    say(`${code === 0 ? '✓' : '✗'} ${scenario}`);
    if (code !== 0) say(output);
  }
  rmSync(client, { force: true });
  say(`${SCENARIOS.length - failed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
});

/** This one, or that of the VS Code which the tests run. */
async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= MIN_NODE) return process.execPath;
  const { ensureVscode } = await import('../vscode/harness/vscode.mjs');
  return (await ensureVscode()).node;
}

/** The client runs on the Node of this command, the oldest that Tool Search takes. */
function runScenario(node, scenario, client) {
  const suite = path.join(ROOT, 'test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const args = [suite, 'client', '--command', `${process.execPath} ${client}`, '--scenario', scenario];
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: RESULTS, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}
