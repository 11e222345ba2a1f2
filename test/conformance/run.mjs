// `npm run conformance`: MCP's public conformance suite against the client with which Tool Search runs servers itself.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundleTypeScript } from '../importTypeScript.mjs';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { main, say, UserError } from '../vscode/harness/say.mjs';

/** How the names of scenarios begin that are about signing in: our client has none, and says so. */
const SIGN_IN = 'auth/';
const SUITE = path.join(ROOT, 'test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite needs a newer Node than Tool Search. */
const MIN_NODE = 22;

await main(async () => {
  await ensureDependencies(path.join(ROOT, 'test/conformance'), 'the conformance suite');
  const client = await bundleTypeScript('test/conformance/client.ts');
  const node = await newerNode();
  const all = await listScenarios(node);
  const scenarios = all.filter((scenario) => !scenario.startsWith(SIGN_IN));
  if (scenarios.length === 0) throw new UserError('The suite lists no scenario for clients that needs no sign-in.');
  let failed = 0;
  for (const scenario of scenarios) {
    const { code, output } = await runScenario(node, scenario, client);
    if (code !== 0) failed++;
    say(`${code === 0 ? '✓' : '✗'} ${scenario}`);
    if (code !== 0) say(output);
  }
  rmSync(client, { force: true });
  say(
    `${scenarios.length - failed} passed, ${failed} failed, ${all.length - scenarios.length} about signing in left out`,
  );
  process.exit(failed > 0 ? 1 : 0);
});

/** This one, or that of the VS Code which the tests run. */
async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= MIN_NODE) return process.execPath;
  const { ensureVscode } = await import('../vscode/harness/vscode.mjs');
  return (await ensureVscode()).node;
}

/** The names of all scenarios for clients that this version of the suite has, as it lists them itself. */
async function listScenarios(node) {
  const { code, output } = await run(node, [SUITE, 'list', '--client']);
  if (code !== 0) throw new UserError(`The suite doesn't list its scenarios:\n${output}`);
  return [...output.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
}

/** The client runs on the Node of this command, the oldest that Tool Search takes. */
function runScenario(node, scenario, client) {
  return run(node, [SUITE, 'client', '--command', `${process.execPath} ${client}`, '--scenario', scenario]);
}

function run(node, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: RESULTS, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}
