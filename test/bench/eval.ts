import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../../src/core/catalog/tool';
import { ToolIndex } from '../../src/core/search/index';
import { InputError, type Query, readOptions, readQueries, readTools } from './data';
import { type Engine, ours, PEERS, type Search, searchWith } from './engines';
import { latency, printTable, type Quality, quality, rounded } from './measures';

/** How well tools are found: `npm run --silent eval -- [--tools F] [--queries F] [--strategy NAME] [--dev DIR] [--json]`. */
export async function main(args: string[], defaults: string): Promise<void> {
  const options = readOptions(args, defaults);
  if (options.dev !== undefined) {
    if (options.json) throw new InputError('--dev prints a table, so not together with --json.');
    return evaluateFolders(options.dev, options.strategy);
  }

  const tools = readTools(options.tools);
  const queries = readQueries(options.queries);
  noteUnknownGold(tools, queries);
  const started = performance.now();
  const index = new ToolIndex(tools);
  const build = performance.now() - started;
  const search = searchWith(index, options.strategy);
  const result = quality(queries, search);
  const { p50, p95 } = latency(queries, search);

  if (!options.json) {
    console.log(`${tools.length} tools, ${queries.length} queries; recall and MRR in percent\n`);
    const rows = [row(ours(options.strategy).name, result, p50, p95)];
    for (const peer of PEERS) {
      const peerSearch = await peer.build(tools);
      const times = latency(queries, peerSearch);
      rows.push(row(peer.name, quality(queries, peerSearch), times.p50, times.p95));
    }
    printTable(['engine', 'R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'p50 ms', 'p95 ms'], rows);
    const kinds = byKind(queries);
    if (kinds.size > 1) printTable(['kind', 'n', 'R@1', 'R@5'], kindRows(kinds, search));
  }
  console.log(JSON.stringify({ ...result, p50_ms: p50, p95_ms: p95, build_ms: rounded(build, 2) }));
}

/** Labels of another catalog look like an engine that finds nothing. */
function noteUnknownGold(tools: readonly Tool[], queries: readonly Query[]): void {
  const known = new Set(tools.map((tool) => tool.id));
  const unknown = queries.filter(({ groups }) => groups.some((group) => !group.some((id) => known.has(id))));
  const [first] = unknown;
  if (first)
    console.error(
      `${unknown.length} of ${queries.length} queries want tools that aren't there, as does "${first.query}"; they count as missed.`,
    );
}

const percent = (share: number) => (100 * share).toFixed(1);

function row(name: string, result: Quality, p50: number, p95: number): string[] {
  const shares = [result['recall@1'], result['recall@3'], result['recall@5'], result['recall@10'], result.mrr];
  return [name, ...shares.map(percent), p50.toFixed(3), p95.toFixed(3)];
}

function byKind(queries: readonly Query[]): Map<string, Query[]> {
  const kinds = new Map<string, Query[]>();
  for (const query of queries) kinds.set(query.kind, [...(kinds.get(query.kind) ?? []), query]);
  return kinds;
}

function kindRows(kinds: ReadonlyMap<string, readonly Query[]>, search: Search): (string | number)[][] {
  return [...kinds].map(([kind, queries]) => {
    const result = quality(queries, search);
    return [kind, result.n, percent(result['recall@1']), percent(result['recall@5'])];
  });
}

/** A query with several needs says little of the first hit, so these kinds are left out of the mean over kinds. */
const SEVERAL_NEEDS = /:(?:task|multi)$/;

/** Every folder of `dir` with tools.jsonl and queries.jsonl, per kind of query, with the mean over kinds, ours and the peers'. */
async function evaluateFolders(dir: string, strategy: string): Promise<void> {
  if (!existsSync(dir)) throw new InputError(`${dir}: can't be read.`);
  const folders = readdirSync(dir)
    .sort()
    .filter((name) => existsSync(join(dir, name, 'tools.jsonl')) && existsSync(join(dir, name, 'queries.jsonl')));
  if (folders.length === 0) throw new InputError(`${dir}: no folder in it has tools.jsonl and queries.jsonl.`);

  const engines: readonly Engine[] = [ours(strategy), ...PEERS];
  const results = new Map<string, Quality[]>();
  for (const folder of folders) {
    const tools = readTools(join(dir, folder, 'tools.jsonl'));
    const kinds = byKind(readQueries(join(dir, folder, 'queries.jsonl')));
    for (const engine of engines) {
      const search = await engine.build(tools);
      for (const [kind, queries] of kinds) {
        const key = `${folder}:${kind}`;
        results.set(key, [...(results.get(key) ?? []), quality(queries, search)]);
      }
    }
  }
  const cell = (one: number, five: number) => `${percent(one)}/${percent(five)}`;
  const rows = [...results].map(([key, list]) => [key, ...list.map((result) => cell(result['recall@1'], result['recall@5']))]);
  const meanRow = (label: string, keep: (key: string) => boolean) => {
    const kept = [...results].filter(([key]) => keep(key)).map(([, list]) => list);
    const mean = (i: number, k: 'recall@1' | 'recall@5') => kept.reduce((sum, list) => sum + (list[i]?.[k] ?? 0), 0) / kept.length;
    return [label, ...engines.map((_, i) => cell(mean(i, 'recall@1'), mean(i, 'recall@5')))];
  };
  const isMcp = (key: string) => ['livemcp:step', 'livemcp:llm-search', 'azure:request'].includes(key);
  rows.push(meanRow('macro', (key) => !SEVERAL_NEEDS.test(key)));
  if ([...results.keys()].some(isMcp)) rows.push(meanRow('MCP mean', isMcp));
  printTable(['R@1/R@5', ...engines.map((engine) => engine.name)], rows);
}
