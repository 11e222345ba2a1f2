import { createCatalog } from '../../src/core/catalog/catalog';
import type { JsonSchema, Tool } from '../../src/core/catalog/tool';
import { scriptName } from '../../src/core/code/scriptName';
import type { Transcript } from '../../src/core/conversation/transcript';
import { modelPrices } from '../../src/core/models/modelFacts';
import { toolMessage } from '../../src/core/ports';
import { DEFAULT_SETTINGS, type Settings } from '../../src/core/settings/settings';
import { systemTimer } from '../../src/core/util/timers';
import { Sandbox } from '../../src/sandbox/sandbox';
import { type Decision, type ModelState, type StandInRequest, startStandIn } from '../standin/server.mjs';
import { choices, makeServices, playTurn, scriptsIn, TestRunner, TestSource } from '../unit/core/turn/world';
import { standInPort } from '../unit/providers/ports';
import { InputError, readTools } from './data';
import { printTable } from './measures';
import { copies } from './scale';

const MODELS = ['claude-sonnet-4-6', 'claude-opus-5-5', 'gpt-5.4', 'gpt-6-sol'];

/** How many questions a chat has, and how many calls each question needs. */
const CHATS = [
  { questions: 1, calls: 1 },
  { questions: 8, calls: 1 },
  { questions: 20, calls: 1 },
  { questions: 8, calls: 3 },
] as const;
type ChatShape = (typeof CHATS)[number];

const WAYS: readonly { readonly name: string; readonly settings: Partial<Settings>; readonly scripts?: boolean }[] = [
  { name: 'auto', settings: {} },
  { name: 'server', settings: { delivery: 'server' } },
  { name: 'client', settings: { delivery: 'client' } },
  { name: 'local', settings: { delivery: 'local' } },
  { name: 'bridge', settings: { delivery: 'bridge' } },
  { name: 'bridge, no scripts', settings: { delivery: 'bridge', codeMode: 'off' } },
  { name: 'bridge, scripts used', settings: { delivery: 'bridge' }, scripts: true },
  { name: 'every definition', settings: { mode: 'off' } },
];
type Way = (typeof WAYS)[number];

/** Servers of the benchmark's catalog that `npm start` runs. */
const SAMPLE = ['everything', 'filesystem', 'memory', 'sequential-thinking', 'github', 'playwright', 'chrome-devtools'];
const CATALOGS: readonly { readonly name: string; readonly of: (tools: readonly Tool[]) => readonly Tool[] }[] = [
  { name: 'sample', of: (tools) => tools.filter(({ server }) => SAMPLE.includes(server)) },
  { name: 'all', of: (tools) => tools },
  { name: 'large', of: (tools) => [...tools, ...copies(tools, 300 - tools.length)] },
];

/** A typical short result of a tool. */
const RESULT = JSON.stringify({
  ok: true,
  items: Array.from({ length: 8 }, (_, id) => ({ id, title: `Item ${id}`, state: 'open' })),
});
const QUESTION_MS = 40_000;

/**
 * Compares what whole chats cost with each delivery, over the stand-in of both services with their caches and prices:
 * `npm run --silent bench -- chats [MODEL…]`. The stand-in's model searches for the tool's name, calls the tool once or
 * several times in one reply, and answers. It doesn't search for what the chat has already shown. Costs are in fresh
 * input tokens by the usage that the stand-in reports.
 * @param dist the folder of the built extension, for the script engine
 */
export async function main(args: readonly string[], defaults: string, dist: string): Promise<void> {
  const models = args.length > 0 ? args : MODELS;
  const unknown = models.find((model) => !MODELS.includes(model));
  if (unknown) throw new InputError(`The stand-in has no model ${unknown}. It has ${MODELS.join(', ')}.`);
  const base = readTools(`${defaults}tools.jsonl`);
  for (const model of models) {
    const rows: (string | number)[][] = [];
    for (const { name, of } of CATALOGS) {
      const tools = of(base).map((tool): Tool => ({ ...tool, modelName: modelNameOf(tool) }));
      for (const shape of CHATS) {
        const played = [];
        for (const way of WAYS) played.push(await converse(tools, model, shape, way, dist));
        const compared = compare(played[0], played.at(-1));
        rows.push([`${name} ${tools.length}, ${shape.questions} × ${shape.calls}`, ...played.map(cellOf), ...compared]);
      }
    }
    const comparison = ['auto against every definition, later questions', 'dearer questions'];
    printTable([`${model}: cost (requests)`, ...WAYS.map((way) => way.name), ...comparison], rows);
  }
}

const modelNameOf = ({ server, name }: Tool): string => `${server}_${name}`.slice(0, 64);

interface Played {
  /** The cost of each question. */
  readonly costs: readonly number[];
  readonly requests: number;
  /** The number of questions whose tool no search found. */
  readonly missed: number;
}

function cellOf(played: Played | undefined): string {
  if (!played) return '–';
  const { costs, requests, missed } = played;
  return `${rounded(sum(costs))} (${requests}${missed > 0 ? `, ${missed} not found` : ''})`;
}

/** A question counts as dearer if it cost over 5 % more than the same question with every definition. */
const DEARER = 1.05;

/** Returns the share of what the later questions cost with every definition, and how many questions were dearer. */
function compare(auto: Played | undefined, every: Played | undefined): readonly string[] {
  if (!auto || !every) return ['–', '–'];
  const later = ({ costs }: Played) => sum(costs.slice(1));
  const dearer = auto.costs.filter((cost, index) => cost > DEARER * (every.costs[index] ?? 0)).length;
  return [later(every) === 0 ? '–' : `${Math.round((100 * later(auto)) / later(every))} %`, String(dearer)];
}

/** Plays one chat. Returns undefined if the model takes fewer definitions than the chat needs. */
async function converse(
  tools: readonly Tool[],
  model: string,
  shape: ChatShape,
  way: Way,
  dist: string,
): Promise<Played | undefined> {
  let clock = 0;
  let missed = 0;
  const plans = plansOf(tools, shape);
  const standIn = await startStandIn({ now: () => clock, model: makeModel(plans, way.scripts === true) });
  const sandbox = new Sandbox({ worker: `${dist}/codeWorker.cjs`, engine: `${dist}/quickjs.wasm` }, () => {});
  try {
    const catalog = createCatalog(1, tools, []);
    const settings = { ...DEFAULT_SETTINGS, ...way.settings };
    const services = makeServices(new TestSource(catalog), {
      user: choices(() => settings),
      clock: { now: () => clock, timer: systemTimer, yieldToEventLoop: async () => {} },
    });
    const scripts = scriptsIn(sandbox);
    const port = standInPort(standIn, model);
    let history: Transcript = [];
    let counted = 0;
    const costs: number[] = [];
    for (const prompt of plans.keys()) {
      clock += QUESTION_MS;
      const outcome = await playTurn(services, port, {
        prompt,
        history,
        chat: 'bench',
        runner: new TestRunner(() => toolMessage('ok', RESULT)),
        settings,
        code: scripts,
      });
      if (outcome.message?.includes(`accepts at most ${port.info.maxTools} tools`)) return undefined;
      if (outcome.answer.endsWith(NOT_FOUND)) missed++;
      else if (!outcome.answer.endsWith(ANSWER))
        throw new Error(`${model}, ${way.name}, '${prompt}': ${outcome.message ?? outcome.answer}`);
      history = [...history, ...outcome.items];
      const asked = answered(standIn.requests);
      costs.push(sum(asked.slice(counted).map((request) => costOf(request, model))));
      counted = asked.length;
    }
    return { costs, requests: counted, missed };
  } finally {
    await standIn.close();
  }
}

function answered(requests: readonly StandInRequest[]): readonly StandInRequest[] {
  return requests.filter(
    ({ path, status, usage }) => ['/v1/messages', '/v1/responses'].includes(path) && status === 200 && usage,
  );
}

/** What a question needs: the words of its search, a tool, and the arguments of each call. */
interface Plan {
  readonly query: string;
  readonly tool: string;
  readonly calls: readonly object[];
}

/** The questions of a chat. Each fifth question needs a tool of an earlier one again. */
function plansOf(tools: readonly Tool[], { questions, calls }: ChatShape): ReadonlyMap<string, Plan> {
  const plans: [string, Plan][] = [];
  for (let i = 0; i < questions; i++) {
    const tool = tools[Math.floor((((i % 5 === 4 ? i - 3 : i) + 0.5) * tools.length) / questions)] as Tool;
    const words = `${tool.server} ${tool.name.replaceAll(/[_-]/g, ' ')}`;
    plans.push([
      `Question ${i + 1}: use ${words} for item ${i}.`,
      {
        query: words,
        tool: tool.modelName,
        calls: Array.from({ length: calls }, (_, call) => argumentsOf(tool.inputSchema, i * 10 + call)),
      },
    ]);
  }
  return new Map(plans);
}

function argumentsOf(schema: JsonSchema | undefined, seed: number): object {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: { readonly [name: string]: JsonSchema };
    readonly required?: readonly string[];
  };
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name], seed)]));
}

function exampleOf(schema: JsonSchema | undefined, seed: number): unknown {
  if (typeof schema !== 'object') return seed;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'number':
    case 'integer':
      return seed + 1;
    case 'boolean':
      return true;
    case 'array':
      return [exampleOf(schema.items as JsonSchema | undefined, seed)];
    case 'object':
      return argumentsOf(schema, seed);
    default:
      return `value-${seed}`;
  }
}

const ANSWER = 'Done.';
const NOT_FOUND = 'No tool fits.';

/** Makes a model that follows the plans. It remembers which tools this chat has shown it. */
function makeModel(plans: ReadonlyMap<string, Plan>, scripts: boolean): (state: ModelState) => Decision {
  const shown = new Set<string>();
  return ({ prompt, callable, results, found }) => {
    const plan = plans.get(prompt);
    if (!plan) return { say: `No plan for '${prompt}'.` };
    if (results.length > 0) {
      const failure = results.find((result) => !result.includes('"ok":true'));
      return { say: failure === undefined ? ANSWER : `A call failed: ${failure}` };
    }
    const { tool, calls } = plan;
    const has = (wanted: string) => callable.some(({ name }) => name === wanted);
    if (has(tool)) return { calls: calls.map((input) => ({ name: tool, input })) };
    if (found?.some(({ name }) => scriptName(name) === scriptName(tool))) shown.add(tool);
    if (!shown.has(tool) || !has('call_tool')) return found === undefined ? { search: plan.query } : { say: NOT_FOUND };
    if (!scripts)
      return { calls: calls.map((input) => ({ name: 'call_tool', input: { name: tool, arguments: input } })) };
    const lines = calls.map((input) => `await tools.${scriptName(tool)}(${JSON.stringify(input)})`);
    return { calls: [{ name: 'run_code', input: { title: 'Call', code: `return [${lines.join(', ')}];` } }] };
  };
}

function costOf({ usage }: StandInRequest, model: string): number {
  const isGpt = model.startsWith('gpt');
  const prices = modelPrices({ vendor: isGpt ? 'openai' : 'anthropic', id: model });
  if (!prices) throw new Error(`No prices for ${model}.`);
  const { cached_tokens = 0, cache_write_tokens = 0 } = usage.input_tokens_details ?? {};
  const read = usage.cache_read_input_tokens ?? cached_tokens;
  const write = usage.cache_creation_input_tokens ?? cache_write_tokens;
  const fresh = isGpt ? usage.input_tokens - read - write : usage.input_tokens;
  return fresh + read * prices.read + write * prices.write;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const rounded = (value: number): string => (Math.round(value / 100) * 100).toLocaleString('en');
