// `npm run conformance`: MCP's public conformance suite against the client with which Tool Search runs servers itself.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { main, say } from '../vscode/harness/say.mjs';

/** Every scenario for clients that needs no sign-in: our client has none, and says so. */
const SCENARIOS = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];
/** The suite needs a newer Node than Tool Search. */
const MIN_NODE = 22;

await main(async () => {
  await ensureDependencies(ROOT, 'the packages of Tool Search');
  await ensureDependencies(path.join(ROOT, 'test/conformance'), 'the conformance suite');
  const client = await buildClient();
  const node = await newerNode();
  let failed = 0;
  for (const scenario of SCENARIOS) {
    const { code, output } = await runScenario(node, scenario, client);
    if (code !== 0) failed++;
    say(`${code === 0 ? '✓' : '✗'} ${scenario}`);
    if (code !== 0) say(output);
  }
  say(`${SCENARIOS.length - failed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
});

async function buildClient() {
  const { build } = await import('esbuild');
  const folder = path.join(RESULTS, 'commands');
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, 'conformanceClient.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/conformance/client.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}

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
