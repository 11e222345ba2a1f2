// Measures catalogs that are far larger than one project's: `npm run --silent bench -- scale [TOOLS…]`. It repeats the
// tools of the project's own benchmark under other servers, with a unique word in name and description.
import { createCatalog } from '../../src/core/catalog/catalog';
import type { Tool } from '../../src/core/catalog/tool';
import { createSearchPort } from '../../src/core/search/searchPort';
import { StrategyRegistry } from '../../src/core/search/strategies/registry';
import { ToolIndex } from '../../src/core/search/toolIndex';
import { systemTimer } from '../../src/core/util/timers';
import { yieldToEventLoop } from '../../src/core/util/yieldToEventLoop';
import { finishTools } from '../../src/tools/toolList';
import { call, makeWorld, playTurn, SETTINGS, TestModel, text } from '../unit/core/turn/world';
import { InputError, readQueries, readTools } from './data';
import { printTable, rounded, usedMemory } from './measures';

const SIZES = [1_000, 10_000, 100_000];
/** Number of tools of one server; real ones have up to some hundred. */
const SERVER = 143;
const SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'wo', 'xu', 'zy'];

export async function main(args: readonly string[], defaults: string): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : SIZES;
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    throw new InputError('Usage: bench -- scale [TOOLS…], for example 1000 100000.');
  const base = readTools(`${defaults}tools.jsonl`);
  const queries = readQueries(`${defaults}queries.jsonl`).map(({ query }) => query);
  await measure(copies(base, 1_000), queries);
  const rows = [];
  for (const size of sizes) rows.push(await measure(copies(base, size), queries));
  printTable(
    ['tools', 'catalog ms', 'index ms', 'MB', 'search p50 ms', 'p95 ms', 'turn ms', 'block: index', 'search', 'turn'],
    rows,
  );
}

/**
 * Makes `count` tools. The n-th copy of the base has the n-th made-up word, which distinguishes it from other copies.
 */
export function copies(base: readonly Tool[], count: number): Tool[] {
  return Array.from({ length: count }, (_, i): Tool => {
    const tool = base[i % base.length];
    if (!tool) throw new Error('There are no tools.');
    const copy = Math.floor(i / SERVER);
    const word = [copy >> 8, (copy >> 4) & 15, copy & 15].map((part) => SYLLABLES[part & 15]).join('');
    const [server, name] = [`${word}${copy}`, `${tool.name}_${word}_${i}`];
    return { ...tool, id: `${server}/${name}`, server, name, description: `${tool.description} For ${word}.` };
  });
}

async function measure(given: readonly Tool[], queries: readonly string[]): Promise<(string | number)[]> {
  const before = usedMemory();
  const started = performance.now();
  const { tools } = finishTools(given, SETTINGS.examples, new Map(), () => 'fits');
  const catalog = createCatalog(1, tools, []);
  const catalogMs = performance.now() - started;
  const index = new ToolIndex();
  const build = await timed(async () => {
    index.follow(catalog.tools);
    await index.settled();
  });
  const memory = usedMemory() - before;
  const port = createSearchPort(index, new StrategyRegistry());
  const searches = [];
  for (const query of queries)
    searches.push(await timed(() => port.search({ query, strategy: 'bm25', limit: 5 }, new AbortController().signal)));
  const clock = { now: Date.now, timer: systemTimer, yieldToEventLoop };
  const world = { ...makeWorld(catalog), search: port, clock };
  const turn = await timed(async () => {
    const model = new TestModel([[call('search_tools', { queries: queries.slice(0, 1) })], [text('Done.')]]);
    await playTurn(world, model);
  });
  const times = searches.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => rounded(times[Math.floor(share * (times.length - 1))] ?? 0, 2);
  return [
    given.length,
    rounded(catalogMs, 0),
    rounded(build.ms, 0),
    rounded(memory / 2 ** 20, 0),
    at(0.5),
    at(0.95),
    rounded(turn.ms, 0),
    rounded(build.block, 0),
    rounded(Math.max(...searches.map(({ block }) => block)), 0),
    rounded(turn.block, 0),
  ];
}

/** The duration of some work, and the longest time in which nothing else could run meanwhile, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly block: number }> {
  let block = 0;
  let last = performance.now();
  let isOver = false;
  const beat = () => {
    const now = performance.now();
    block = Math.max(block, now - last);
    last = now;
    if (!isOver) setImmediate(beat);
  };
  setImmediate(beat);
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  isOver = true;
  beat();
  return { ms, block };
}
