import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { taskFiles } from '../../../bench/codeTasks';
import { startServers } from '../../../bench/sampleServers';
import { ensureDependencies } from '../../../vscode/harness/dependencies.mjs';
import { useSandbox } from '../../sandbox/builtSandbox';
import { type LiteralTask, literalModel, RULES, type Rule, without } from './literalModel';
import { LITERAL_TASKS } from './literalTasks';
import { choices, makeServices, playTurn, scriptsIn, TestSource } from './world';

/** For each rule, a task that needs the rule, and the answer without the rule. */
const WITHOUT: { readonly [rule in Rule]: readonly [task: string, answer: RegExp] } = {
  search: ['adds', /I have no tool/],
  workspace: ['lists a folder', /Access denied/],
  stop: ['books a flight', /still searching/],
  language: ['adds', /no such tool/],
  line: ['adds', /no such tool/],
  whole: ['explains an argument', /^filesystem_edit_file\(/],
  describe: ['explains an argument without scripts', /^filesystem_edit_file\(/],
  call: ['adds', /can call nothing/],
  next: ['adds with a tool in the request', /can call nothing/],
  inner: ['searches within a script', /in no script/],
  text: [
    'finds notes on the login',
    /TypeError: not a function\. Results were: filesystem_list_directory => \{ content/,
  ],
  object: ['counts what the memory holds', /TypeError: .*Results were: .*memory_read_graph => string/],
  look: ['finds the warmest city', /do not know what the tool returns/],
  out: ['counts errors in a log', /returned nothing/],
  kept: ['goes on with a cut result', /only have the first part/],
};

const made = useSandbox();
let folder: string;
let servers: Awaited<ReturnType<typeof startServers>>;

/** Restores the tasks' files to their state before a task. */
async function fill(): Promise<void> {
  await rm(path.join(folder, 'out'), { recursive: true, force: true });
  for (const [file, text] of taskFiles()) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

beforeAll(async () => {
  await ensureDependencies('sample', "the sample's MCP servers");
  folder = await mkdtemp(path.join(os.tmpdir(), 'toolsearch-literal-'));
  await fill();
  servers = await startServers('sample', folder);
}, 300_000);

afterAll(async () => {
  await servers?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Asks the double; `dropped` removes the words of a rule from all that it reads. */
async function ask(task: LiteralTask, dropped?: Rule): Promise<{ readonly answer: string; readonly requests: number }> {
  await fill();
  await servers.forget();
  const source = new TestSource(createCatalog(1, servers.tools, []));
  const services = makeServices(source, { user: { ...choices(), workspace: () => [folder] } });
  let requests = 0;
  const port = literalModel(task, (request) => {
    requests++;
    return dropped ? without(dropped, request) : request;
  });
  const outcome = await playTurn(services, port, {
    prompt: task.name,
    runner: servers.runner,
    settings: { mode: 'on', delivery: 'bridge', ...task.way },
    code: scriptsIn(made.sandbox),
  });
  return { answer: outcome.answer.trim(), requests };
}

/** Nine tasks of `npm run bench -- code`, and three others, two of which have no tool. */
const TWELVE = [
  ...['reads one note', 'finds notes on the login', 'counts errors in a log', 'joins people and orders'],
  ...[
    'moves records to the memory',
    'adds ten times',
    'finds the warmest city',
    'writes twelve files',
    'adds up sizes',
  ],
  ...['renames a file', 'books a flight', 'deletes a file'],
];
const requestsOf = new Map<string, number>();

describe('a model that does what the texts say and nothing else', () => {
  it.each(LITERAL_TASKS.map((task) => [task.name, task] as const))('%s', async (_, task) => {
    const { answer, requests } = await ask(task);
    expect(answer).toMatch(task.right);
    requestsOf.set(task.name, requests);
  });

  it('needs at most 37 requests for twelve tasks', () => {
    const requests = TWELVE.map((name) => requestsOf.get(name) ?? Number.NaN);
    expect(requests.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(37);
  });

  it.each(Object.keys(RULES) as Rule[])('fails without the words of the rule "%s"', async (rule) => {
    const [name, wrong] = WITHOUT[rule];
    const task = LITERAL_TASKS.find((one) => one.name === name);
    expect(task && (await ask(task, rule)).answer).toMatch(wrong);
  });
});
