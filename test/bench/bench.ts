// Measures the speed and the memory of search, for `npm run bench`.
import { type Tool, toolId } from '../../src/core/catalog/tool';
import { ToolIndex } from '../../src/core/search/toolIndex';
import { InputError, type Query, readOptions, readQueries, readTools } from './data';
import { searchWith } from './engines';
import { latency, printTable, rounded, usedMemory } from './measures';
import { copies } from './scale';

interface Size {
  readonly tools: number;
  readonly build_ms: number;
  /** Of all threads. On a busy machine this is the only comparable figure. */
  readonly build_cpu_ms: number;
  readonly update_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly heap_mb: number;
}

/** Maximum number of queries, which gives steady percentiles. */
const MAX_QUERIES = 300;
/** The required speed: milliseconds for a search among this many tools. */
const BAR = { tools: 1_000, p95Ms: 10 };
/** Number of tools of the server that is replaced. */
const UPDATED = 50;

/** Measures the speed of search: `npm run --silent bench -- [--tools F] [--queries F] [--strategy NAME] [--json]`. */
export async function main(args: string[], defaults: string): Promise<void> {
  const options = readOptions(args, defaults);
  for (const option of ['dev', 'save', 'baseline'] as const) {
    if (options[option] !== undefined) throw new InputError(`--${option} is an option of eval alone.`);
  }
  const tools = readTools(options.tools);
  const all = readQueries(options.queries);
  const queries = spread(all, MAX_QUERIES);

  const counts = [...new Set([100, 1000, tools.length].filter((count) => count <= tools.length))];
  // A first build that isn't reported. It runs uncompiled code, as an extension's first search does too, but that isn't
  // compared here.
  measure(spread(tools, counts[0] ?? 0), queries, options.strategy);
  const sizes = counts.map((count) => measure(spread(tools, count), queries, options.strategy));
  if (tools.length < BAR.tools) sizes.push(measure(copies(tools, BAR.tools), queries, options.strategy));

  if (!options.json) {
    printTable(
      ['Tool Search', 'build ms', 'its CPU ms', `update of ${UPDATED} ms`, 'p50 ms', 'p95 ms', 'p99 ms', 'heap MB'],
      sizes.map((size) => [
        `${size.tools} tools`,
        size.build_ms,
        size.build_cpu_ms,
        size.update_ms,
        size.p50_ms,
        size.p95_ms,
        size.p99_ms,
        size.heap_mb,
      ]),
    );
    const many = sizes.find((size) => size.tools === BAR.tools);
    console.log(`Among ${BAR.tools} tools, p95 is ${many?.p95_ms} ms. The bar is ${BAR.p95Ms} ms.\n`);
  }
  console.log(JSON.stringify({ sizes }));
}

function measure(tools: readonly Tool[], queries: readonly Query[], strategy: string): Size {
  const before = usedMemory();
  const started = performance.now();
  const cpuBefore = cpuTime();
  const index = new ToolIndex(tools);
  const cpu = cpuTime() - cpuBefore;
  const build = performance.now() - started;
  const heap = usedMemory() - before;
  const { p50, p95, p99 } = latency(queries, searchWith(index, strategy));
  return {
    tools: tools.length,
    build_ms: rounded(build, 2),
    build_cpu_ms: rounded(cpu, 2),
    update_ms: rounded(updateTime(index, tools), 3),
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    heap_mb: rounded(heap / 2 ** 20, 2),
  };
}

/** Milliseconds of processor time that this process has used, in all its threads. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds (the median of several runs) to replace all tools of a server by changed ones. */
function updateTime(index: ToolIndex, tools: readonly Tool[]): number {
  const server = 'replaced';
  const version = (word: string) =>
    tools.slice(0, UPDATED).map((tool, i): Tool => {
      const name = `${tool.name}_${i}`;
      return { ...tool, id: toolId(server, name), server, name, description: `${tool.description} ${word}` };
    });
  const all = (word: string) => [...tools, ...version(word)];
  index.setTools(all('first'));
  const times: number[] = [];
  for (let round = 0; round < 11; round++) {
    const next = all(`version${round}`);
    const started = performance.now();
    index.setTools(next);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[5] ?? 0;
}

/** `count` items, spread over the whole list. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as Item);
}
