import { createCatalog } from '../../src/core/catalog/catalog';
import type { Tool } from '../../src/core/catalog/tool';
import { scriptName } from '../../src/core/code/scriptName';
import type { Transcript } from '../../src/core/conversation/transcript';
import { CountRefused, type ModelEvent, type ModelInfo, type ModelPort, toolMessage } from '../../src/core/ports';
import { DEFAULT_SETTINGS, type Settings } from '../../src/core/settings/settings';
import { sumRounds } from '../../src/core/usage/roundTokens';
import { Sandbox } from '../../src/sandbox/sandbox';
import { makeWorld, playTurn, scriptsIn, TestRunner } from '../unit/core/turn/world';
import { type Query, readOptions, readQueries, readTools } from './data';
import { ours, PEERS } from './engines';
import { latency, printTable, quality } from './measures';

/** Maximum number of tools in one request of VS Code. */
const VSCODE_LIMIT = 128;
const TURNS = 10;
/** The answer of each called tool: a typical short result. */
const RESULT = JSON.stringify({
  ok: true,
  items: Array.from({ length: 8 }, (_, id) => ({ id, title: `Item ${id}`, state: 'open' })),
});

/**
 * Compares Tool Search with its alternatives, in one run over one catalog: `npm run bench -- peers [--tools F]
 * [--queries F]`. It measures how well and how fast each ranks, and the tokens of a conversation of ten scripted turns.
 * In each turn, one tool meets a need.
 * @param dist the folder of the built extension, for the script engine
 */
export async function main(args: string[], defaults: string, dist: string): Promise<void> {
  const options = readOptions(args, defaults);
  const tools = readTools(options.tools);
  const queries = readQueries(options.queries);

  const ranked: (string | number)[][] = [];
  for (const engine of [ours('bm25'), ...PEERS]) {
    const search = await engine.build(tools);
    const found = quality(queries, search);
    const { p50, p95 } = latency(queries, search);
    ranked.push([engine.name, percent(found['recall@1']), percent(found['recall@5']), p50, p95]);
  }
  printTable([`${tools.length} tools, ${queries.length} queries`, 'R@1', 'R@5', 'p50 ms', 'p95 ms'], ranked);

  const named = tools.map((tool): Tool => ({ ...tool, modelName: `${tool.server}_${tool.name}`.slice(0, 64) }));
  const needs = spread(
    queries.filter((query) => query.groups.length === 1),
    TURNS,
  );
  const weighed: (string | number)[][] = [];
  for (const way of WAYS) weighed.push([way.name, ...(await converse(way, named, needs, dist))]);
  printTable(
    [
      `Tokens sent, ≈ (${TURNS} turns)`,
      'first request',
      'all requests',
      'requests',
      'found tool called in',
      'tools out of reach',
    ],
    weighed,
  );
}

/** One way to bring tools to a model. */
interface Way {
  readonly name: string;
  readonly settings: Partial<Settings>;
  readonly native?: ModelInfo['native'];
  /** Maximum number of the catalog's tools that exist in this way. */
  readonly most?: number;
  /** The model's steps to meet a need: a list of events for each of its replies except the last. */
  readonly script: (query: string, tool: Tool) => readonly (readonly ModelEvent[])[];
}

const call = (name: string, input: unknown, callId: string): ModelEvent => ({ type: 'call', callId, name, input });
const search = (query: string) => [call('search_tools', { queries: [query] }, 'search')];
const NATIVE = { strategies: ['bm25'], references: true, maxDeferred: 10_000 };

const WAYS: readonly Way[] = [
  { name: 'all eager', settings: { mode: 'off' }, script: (_, tool) => [[call(tool.modelName, {}, 'call')]] },
  {
    name: `the first ${VSCODE_LIMIT}, as VS Code’s limit allows`,
    settings: { mode: 'off' },
    most: VSCODE_LIMIT,
    script: (_, tool) => [[call(tool.modelName, {}, 'call')]],
  },
  {
    name: 'bridge',
    settings: { mode: 'on', delivery: 'bridge', codeMode: 'off' },
    script: (query, tool) => [search(query), [call('call_tool', { name: tool.modelName, arguments: {} }, 'call')]],
  },
  {
    name: 'local',
    settings: { mode: 'on', delivery: 'local', codeMode: 'off' },
    script: (query, tool) => [search(query), [call(tool.modelName, {}, 'call')]],
  },
  {
    name: 'client',
    settings: { mode: 'on', delivery: 'client', codeMode: 'off' },
    native: NATIVE,
    script: (query, tool) => [search(query), [call(tool.modelName, {}, 'call')]],
  },
  {
    name: 'server',
    settings: { mode: 'on', delivery: 'server', codeMode: 'off' },
    native: NATIVE,
    script: (query, tool) => [
      [
        { type: 'search', search: { callId: 'search', queries: [query], strategy: 'bm25', found: [tool.modelName] } },
        call(tool.modelName, {}, 'call'),
      ],
    ],
  },
  {
    name: 'code (one script a turn)',
    settings: { mode: 'on', delivery: 'bridge', codeMode: 'on' },
    script: (query, tool) => {
      const code = `await search(${JSON.stringify(query)});\nconst { items } = await tools.${scriptName(tool.modelName)}({});\nreturn items.length;`;
      return [[call('run_code', { title: 'Look', code }, 'script')]];
    },
  },
];

/** The tokens of ten turns, estimated by characters as for every model without a count. */
async function converse(
  way: Way,
  tools: readonly Tool[],
  needs: readonly Query[],
  dist: string,
): Promise<(string | number)[]> {
  const catalog = createCatalog(1, tools.slice(0, way.most), []);
  const world = makeWorld(catalog);
  const { ledger } = world;
  const sandbox = new Sandbox({ worker: `${dist}/codeWorker.cjs`, engine: `${dist}/quickjs.wasm` }, () => {});
  let history: Transcript = [];
  let missed = 0;
  for (const [turn, { query, groups }] of needs.entries()) {
    const tool = catalog.byId.get(groups[0]?.[0] ?? '');
    if (!tool) missed++;
    const script = tool ? way.script(query, tool) : [];
    const port = scripted([...script, [{ type: 'text', text: 'Done.' }]], turn, way.native);
    const { items, status, message } = await playTurn(world, port, {
      prompt: query,
      history,
      runner: new TestRunner(() => toolMessage('ok', RESULT)),
      settings: { ...DEFAULT_SETTINGS, ...way.settings },
      code: scriptsIn(sandbox),
    });
    if (status !== 'answered') throw new Error(`${way.name}: '${query}' was not answered: ${message}`);
    const failed = ledger.events.find(
      (event) =>
        (event.type === 'called' && event.outcome !== 'ok') || (event.type === 'scriptEnded' && event.outcome !== 'ok'),
    );
    if (failed) throw new Error(`${way.name}: '${query}' went wrong: ${JSON.stringify(failed)}`);
    history = [...history, ...items];
  }
  const rounds = ledger.events.flatMap((event) => (event.type === 'roundEnded' ? [event.tokens] : []));
  // The latest request of a turn in which its tool was called: a search takes one request, or none.
  const calledIn = Math.max(0, ...ledger.events.flatMap((event) => (event.type === 'called' ? [event.round] : [])));
  const [first, all] = [rounds[0]?.sent.value ?? 0, sumRounds(rounds).sent.value];
  return [number(first), number(all), rounds.length, `request ${calledIn}`, missed];
}

/** A model that plays its script. The ids of its calls are unique to its turn. */
function scripted(script: readonly (readonly ModelEvent[])[], turn: number, native: ModelInfo['native']): ModelPort {
  let round = 0;
  return {
    info: {
      id: 'scripted',
      vendor: 'bench',
      name: 'Scripted',
      maxInputTokens: 1_000_000,
      toolCalling: true,
      maxTools: Number.POSITIVE_INFINITY,
      ...(native ? { native } : {}),
    },
    async *send() {
      for (const event of script[round++] ?? [])
        yield event.type === 'call' ? { ...event, callId: `${event.callId}_${turn}` } : event;
    },
    countTokens: () => Promise.reject(new CountRefused()),
  };
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, i) => items[Math.floor((i * items.length) / count)] as Item,
  );
}

const percent = (share: number): string => (share * 100).toFixed(1);

const number = (value: number): string => value.toLocaleString('en');
