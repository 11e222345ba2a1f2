import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createCatalog } from '../../src/core/catalog/catalog';
import type { Tool } from '../../src/core/catalog/tool';
import { resultText } from '../../src/core/conversation/resultText';
import type { Transcript } from '../../src/core/conversation/transcript';
import { CountRefused, type ModelEvent, type ModelPort, type ToolRunner } from '../../src/core/ports';
import { Sandbox } from '../../src/sandbox/sandbox';
import { makeWorld, playTurn, scriptsIn } from '../unit/core/turn/world';
import { type Task, taskFiles, tasksOver } from './codeTasks';
import { printTable } from './measures';
import { startServers } from './sampleServers';

/** The four ways to do a task. */
const WAYS = [
  { name: 'direct', delivery: 'local', code: false },
  { name: 'direct, bridge', delivery: 'bridge', code: false },
  { name: 'code', delivery: 'local', code: true },
  { name: 'code, bridge', delivery: 'bridge', code: true },
] as const;
type Way = (typeof WAYS)[number];

const CHARS_PER_TOKEN = 3.6;
const tokens = (chars: number) => Math.ceil(chars / CHARS_PER_TOKEN);

/**
 * Compares scripts with direct calls: nine tasks over the sample's real servers and generated files, without a model.
 * Run it with `npm run bench -- code`. "Added" counts tokens that enter the context once, "input" those of all requests
 * together, with nothing cached, "written" those that the model writes. Tokens are estimates.
 * @param dist the folder of the built extension, for the script engine
 */
export async function main(sample: string, dist: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolsearch-code-'));
  for (const [file, text] of taskFiles()) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const servers = await startServers(sample, folder);
  try {
    const rows: Figures[][] = [];
    const tasks = tasksOver(folder);
    for (const task of tasks) {
      const row: Figures[] = [];
      for (const way of WAYS) {
        row.push(await doTask(task, way, servers.tools, servers.runner, dist));
        await servers.forget();
      }
      rows.push(row);
    }
    rows.push(WAYS.map((_, i) => rows.reduce((sum, row) => add(sum, row[i] ?? NONE), NONE)));
    const labels = [...tasks.map((task) => task.name), 'all'];
    const table = (what: string, of: (figures: Figures) => number) =>
      printTable(
        [what, ...WAYS.map(({ name }) => name)],
        rows.map((row, i) => [labels[i] ?? '', ...row.map(of)]),
      );
    table('rounds', ({ rounds }) => rounds);
    table('tokens added', ({ added }) => added);
    table('tokens of all requests', ({ input }) => input);
    table('tokens written', ({ written }) => written);
  } finally {
    await servers.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Figures {
  readonly rounds: number;
  readonly added: number;
  readonly input: number;
  readonly written: number;
}
const NONE: Figures = { rounds: 0, added: 0, input: 0, written: 0 };

function add(a: Figures, b: Figures): Figures {
  return {
    rounds: a.rounds + b.rounds,
    added: a.added + b.added,
    input: a.input + b.input,
    written: a.written + b.written,
  };
}

async function doTask(
  task: Task,
  way: Way,
  tools: readonly Tool[],
  runner: ToolRunner,
  dist: string,
): Promise<Figures> {
  const world = makeWorld(createCatalog(1, tools, []));
  const { ledger } = world;
  const sandbox = new Sandbox({ worker: `${dist}/codeWorker.cjs`, engine: `${dist}/quickjs.wasm` }, () => {});
  const outcome = await playTurn(world, played(task, way), {
    prompt: task.name,
    runner,
    settings: { mode: 'on', delivery: way.delivery, codeMode: way.code ? 'on' : 'off', toolCallsPerTurn: 100 },
    code: scriptsIn(sandbox),
  });
  const texts = resultsOf(outcome.items);
  const last = texts.at(-1) ?? '';
  if (outcome.status !== 'answered' || (way.code && !task.right.test(last)))
    throw new Error(`${task.name}, ${way.name}: ${outcome.message ?? last.slice(0, 300)}`);
  const ended = ledger.events.flatMap((event) => (event.type === 'roundEnded' ? [event.tokens] : []));
  const calls = outcome.items.flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  const added = texts.reduce((sum, text) => sum + text.length, 0);
  return {
    rounds: ended.length,
    added: tokens(added),
    input: ended.reduce((sum, { sent }) => sum + sent.value, 0),
    written: tokens(calls.reduce((sum, call) => sum + call.name.length + JSON.stringify(call.input).length, 0)),
  };
}

function resultsOf(items: Transcript): readonly string[] {
  return items.flatMap((item) => (item.kind === 'results' ? item.results.map(resultText) : []));
}

/** A model that follows the task exactly. */
function played(task: Task, way: Way): ModelPort {
  let calls = 0;
  const call = (name: string, input: unknown): ModelEvent => ({ type: 'call', callId: `call-${++calls}`, name, input });
  let round = -2;
  return {
    info: { id: 'played', vendor: 'bench', name: 'Played', maxInputTokens: 0, toolCalling: true, maxTools: 128 },
    countTokens: () => Promise.reject(new CountRefused('No model counts here.')),
    async *send({ transcript }) {
      round++;
      if (round === -1) return yield call('search_tools', { queries: task.queries });
      if (way.code)
        return yield round === 0
          ? call('run_code', { title: task.name, code: task.script })
          : { type: 'text', text: 'Done.' };
      const next = task.direct(resultsOf(transcript), round);
      if (!next) yield { type: 'text', text: 'Done.' };
      for (const { tool, args } of next ?? [])
        yield way.delivery === 'bridge' ? call('call_tool', { name: tool, arguments: args }) : call(tool, args);
    },
  };
}
