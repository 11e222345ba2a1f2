// `npm run conformance`: MCP's public conformance suite against the client with which Tool Search runs servers itself.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundleTypeScript } from '../importTypeScript.mjs';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { main, say, UserError } from '../vscode/harness/say.mjs';

/** Revisions of the protocol whose scenarios are run. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** Scenarios that are left out, with the reason. */
const LEFT_OUT = {
  'auth/basic-cimd': 'needs a metadata document at a public address, which the extension does not have yet',
  'auth/pre-registration': 'registers a client with a secret: mcp.json has a place for its id alone',
  'json-schema-2020-12-preservation': 'wants a schema echoed as an argument, which only a model would do',
};
const EXTENSION = 'is about an extension of the protocol that the client does not claim';
const SUITE = path.join(ROOT, 'test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite needs a newer Node than Tool Search. */
const MIN_NODE = 22;

await main(async () => {
  await ensureDependencies(path.join(ROOT, 'test/conformance'), 'the conformance suite');
  const client = await bundleTypeScript('test/conformance/client.ts');
  const node = await newerNode();
  const all = await listScenarios(node);
  const runs = all.flatMap(({ name, revisions }) =>
    revisions.flatMap((revision) => (REVISIONS.includes(revision) && !LEFT_OUT[name] ? [{ name, revision }] : [])),
  );
  if (runs.length === 0) throw new UserError('The suite lists no scenario for clients.');
  let failed = 0;
  for (const { name, revision } of runs) {
    const { code, output } = await runScenario(node, { name, revision }, client);
    if (code !== 0) failed++;
    say(`${code === 0 ? '✓' : '✗'} ${revision} ${name}`);
    if (code !== 0) say(output);
  }
  rmSync(client, { force: true });
  for (const { name, revisions } of all)
    if (LEFT_OUT[name] || revisions.length === 0) say(`– ${name} ${LEFT_OUT[name] ?? EXTENSION}`);
  say(`${runs.length - failed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
});

/** This one, or that of the VS Code which the tests run. */
async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= MIN_NODE) return process.execPath;
  const { ensureVscode } = await import('../vscode/harness/vscode.mjs');
  return (await ensureVscode()).node;
}

/** All scenarios for clients that this version of the suite has, with the revisions that each is for. */
async function listScenarios(node) {
  const { code, output } = await run(node, [SUITE, 'list', '--client']);
  if (code !== 0) throw new UserError(`The suite doesn't list its scenarios:\n${output}`);
  return [...output.matchAll(/^ +- (\S+) \[(.*)\]/gm)].map(([, name, revisions]) => ({
    name,
    revisions: revisions.split(',').filter((revision) => /^\d{4}-/.test(revision)),
  }));
}

/** The client runs on the Node of this command, the oldest that Tool Search takes. */
function runScenario(node, { name, revision }, client) {
  const command = `${process.execPath} ${client}`;
  return run(node, [SUITE, 'client', '--command', command, '--scenario', name, '--spec-version', revision]);
}

function run(node, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: RESULTS, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}
