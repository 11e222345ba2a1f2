import { join } from 'node:path';
import type { Tool } from '../../src/core/catalog/tool';
import { ToolIndex } from '../../src/core/search/toolIndex';
import { InputError, type Query, readOptions, readQueries, readTools, readWords, shippedWords } from './data';
import { ours, type Search, searchWith } from './engines';
import { evaluateFolders } from './folders';
import { latency, percent, printTable, quality, rounded } from './measures';

/**
 * Measures the quality of search: `npm run --silent eval -- [--tools F] [--queries F] [--strategy NAME] [--json]`, or
 * over folders of labelled sets `-- --dev DIR… [--save F] [--baseline F]`.
 */
export async function main(args: string[], defaults: string): Promise<void> {
  const options = readOptions(args, defaults);
  const shipped = options['shipped-words'] ? shippedWords(join(defaults, '../../words')) : undefined;
  if (options.dev !== undefined) {
    if (options.json) throw new InputError('--dev prints a table, so not together with --json.');
    return evaluateFolders(options.dev, { ...options, shipped });
  }
  if (options.save ?? options.baseline) throw new InputError('--save and --baseline go with --dev.');

  const tools = readTools(options.tools);
  const queries = readQueries(options.queries);
  noteUnknownGold(tools, queries);
  const started = performance.now();
  const words = options.words && readWords(options.words);
  const index = new ToolIndex(tools, (tool) => words?.get(tool.id) ?? shipped?.(tool));
  const build = performance.now() - started;
  const search = searchWith(index, options.strategy);
  const result = quality(queries, search);
  const { p50, p95 } = latency(queries, search);

  if (!options.json) {
    console.log(`${tools.length} tools, ${queries.length} queries; recall and MRR in percent\n`);
    const shares = [result['recall@1'], result['recall@3'], result['recall@5'], result['recall@10'], result.mrr];
    printTable(
      ['engine', 'R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'p50 ms', 'p95 ms'],
      [[ours(options.strategy).name, ...shares.map(percent), p50.toFixed(3), p95.toFixed(3)]],
    );
    const kinds = byKind(queries);
    if (kinds.size > 1) printTable(['kind', 'n', 'R@1', 'R@5'], kindRows(kinds, search));
  }
  console.log(JSON.stringify({ ...result, p50_ms: p50, p95_ms: p95, build_ms: rounded(build, 2) }));
}

/** Warns about labels whose tools aren't in the catalog, since they look like an engine that finds nothing. */
function noteUnknownGold(tools: readonly Tool[], queries: readonly Query[]): void {
  const known = new Set(tools.map((tool) => tool.id));
  const unknown = queries.filter(({ groups }) => groups.some((group) => !group.some((id) => known.has(id))));
  const [first] = unknown;
  if (first)
    console.error(
      `${unknown.length} of ${queries.length} queries want tools that aren't there, as does "${first.query}"; they count as missed.`,
    );
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
