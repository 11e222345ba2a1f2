// `npm run conformance`: runs MCP's public conformance suite against the client with which Tool Search runs servers
// itself, and against its endpoint.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundleTypeScript, importTypeScript } from '../importTypeScript.mjs';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { main, say, UserError } from '../vscode/harness/say.mjs';

/** Revisions of the protocol whose scenarios are run. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
const NO_RESOURCES = 'is about prompts and resources, which the endpoint does not have';
const FIXTURE = "needs a tool of the suite's own fixture server; the endpoint has four fixed ones";
/** Scenarios that are left out, with the reason. The first pattern that matches decides. */
const LEFT_OUT = {
  client: [
    [/^auth\/basic-cimd$/, 'needs a metadata document at a public address, which the extension does not have yet'],
    [/^auth\/pre-registration$/, 'registers a client with a secret: mcp.json has a place for its id alone'],
    [/^json-schema-2020-12-preservation$/, 'wants a schema echoed as an argument, which only a model would do'],
  ],
  server: [
    [/^(prompts|resources|sep-2164)-/, NO_RESOURCES],
    [/^input-required-result-non-tool-request$/, NO_RESOURCES],
    [
      /^(completion-complete|logging-set-level)$/,
      'is about an option of the protocol that the endpoint does not claim',
    ],
    [/^input-required-result-(?!unsupported-methods)/, FIXTURE],
    [/^(tools-call|json-schema|elicitation|http-custom-header)-/, FIXTURE],
    [/^server-sse-polling$/, FIXTURE],
  ],
};
/** Checks within scenarios that can't pass, with the reason. All others must pass. */
const CANNOT_PASS = {
  'server-stateless': {
    reason: FIXTURE,
    checks: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  },
  caching: {
    reason: NO_RESOURCES,
    checks: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
  },
};
const EXTENSION = 'is about an extension of the protocol that Tool Search does not claim';
const SUITE = path.join(ROOT, 'test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite needs a newer Node than Tool Search. */
const MIN_NODE = 22;

await main(async () => {
  await ensureDependencies(path.join(ROOT, 'test/conformance'), 'the conformance suite');
  const node = await newerNode();
  const client = await bundleTypeScript('test/conformance/client.ts');
  const { openConformanceServer } = await importTypeScript('test/conformance/server.ts');
  const server = await openConformanceServer();
  // The client runs on the Node of this command, the oldest that Tool Search supports.
  const failed =
    (await runSide(node, 'client', ['--command', `${process.execPath} ${client}`])) +
    (await runSide(node, 'server', ['--url', server.url]));
  rmSync(client, { force: true });
  await server.close();
  process.exit(failed > 0 ? 1 : 0);
});

/** Runs all scenarios for one side of the protocol. Returns the number of failures. */
async function runSide(node, side, subject) {
  const all = await listScenarios(node, side);
  const reasonOf = ({ name, revisions }) =>
    LEFT_OUT[side].find(([pattern]) => pattern.test(name))?.[1] ?? (revisions.length === 0 ? EXTENSION : undefined);
  const runs = all.flatMap((scenario) =>
    reasonOf(scenario)
      ? []
      : REVISIONS.filter((revision) => scenario.revisions.includes(revision)).map((revision) => ({
          name: scenario.name,
          revision,
        })),
  );
  if (runs.length === 0) throw new UserError(`The suite lists no scenario for ${side}s.`);
  let failed = 0;
  for (const { name, revision } of runs) {
    const { code, output } = await run(node, [SUITE, side, ...subject, '--scenario', name, '--spec-version', revision]);
    const passed = code === 0 || failedAsExpected(name, output);
    if (!passed) failed++;
    say(`${passed ? '✓' : '✗'} ${side} ${revision} ${name}`);
    if (passed && code !== 0)
      for (const check of CANNOT_PASS[name].checks) say(`– ${side} ${check} ${CANNOT_PASS[name].reason}`);
    if (!passed) say(output);
  }
  for (const scenario of all) if (reasonOf(scenario)) say(`– ${side} ${scenario.name} ${reasonOf(scenario)}`);
  say(`${side}: ${runs.length - failed} passed, ${failed} failed`);
  return failed;
}

/** Whether exactly those checks failed that can't pass. */
function failedAsExpected(name, output) {
  const failures = [...output.matchAll(/\[([\w-]+) *\] \S*FAILURE/g)].map(([, check]) => check);
  return failures.sort().join() === CANNOT_PASS[name]?.checks.toSorted().join();
}

/** This Node if it is new enough, otherwise that of the VS Code which the tests run. */
async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= MIN_NODE) return process.execPath;
  const { ensureVscode } = await import('../vscode/harness/vscode.mjs');
  return (await ensureVscode()).node;
}

/** Returns this suite's scenarios for clients or servers, each with the MCP revisions that it applies to. */
async function listScenarios(node, side) {
  const { code, output } = await run(node, [SUITE, 'list', `--${side}`]);
  if (code !== 0) throw new UserError(`The suite doesn't list its scenarios:\n${output}`);
  return [...output.matchAll(/^ +- (\S+) \[(.*)\]/gm)].map(([, name, revisions]) => ({
    name,
    revisions: revisions.split(',').filter((revision) => /^\d{4}-/.test(revision)),
  }));
}

function run(node, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: RESULTS, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}
