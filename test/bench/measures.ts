// Measures of search quality and speed, and the tables that show them.
import { collectGarbage } from '../soak/promises';
import type { Query } from './data';
import type { Search } from './engines';

export interface Quality {
  readonly n: number;
  readonly 'recall@1': number;
  readonly 'recall@3': number;
  readonly 'recall@5': number;
  readonly 'recall@10': number;
  /** 1 divided by the rank of the first right tool among ten. */
  readonly mrr: number;
}

/** The share of a query's needs that the first `k` ids meet. */
export function recallAt(k: number, { groups }: Query, ids: readonly string[]): number {
  const top = new Set(ids.slice(0, k));
  return groups.filter((group) => group.some((id) => top.has(id))).length / groups.length;
}

/** Measures quality, from 0 to 1. Recall is the mean share of a query's needs that are met in the top k. */
export function quality(queries: readonly Query[], search: Search): Quality {
  const mean = (measure: (query: Query, ids: readonly string[]) => number) =>
    rounded(answers.reduce((sum, { query, ids }) => sum + measure(query, ids), 0) / answers.length, 4);
  const answers = queries.map((query) => ({ query, ids: search(query.query) }));
  const recall = (k: number) => mean((query, ids) => recallAt(k, query, ids));
  const mrr = mean(({ groups }, ids) => {
    const rank = ids.slice(0, 10).findIndex((id) => groups.some((group) => group.includes(id)));
    return rank < 0 ? 0 : 1 / (rank + 1);
  });
  return {
    n: queries.length,
    'recall@1': recall(1),
    'recall@3': recall(3),
    'recall@5': recall(5),
    'recall@10': recall(10),
    mrr,
  };
}

/** A share in percent with one decimal. */
export const percent = (share: number): string => (100 * share).toFixed(1);

/** How often each query is timed. The median of an odd number leaves out the pauses of a busy machine. */
const PASSES = 5;

/**
 * Milliseconds for one search, at the given shares of all queries. Each query counts with its median over several
 * passes. A first pass isn't timed, so that compiled code is measured.
 */
export function latency(
  queries: readonly Query[],
  search: Search,
): { readonly p50: number; readonly p95: number; readonly p99: number } {
  const times = queries.map((): number[] => []);
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const [i, { query }] of queries.entries()) {
      const started = performance.now();
      search(query);
      if (pass > 0) times[i]?.push(performance.now() - started);
    }
  }
  const medians = times.map((passes) => passes.sort((a, b) => a - b)[PASSES >> 1] ?? 0).sort((a, b) => a - b);
  const at = (share: number) =>
    rounded(medians[Math.min(medians.length - 1, Math.floor(share * medians.length))] ?? 0, 4);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Prints rows under their headings, with numbers aligned right. */
export function printTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells) {
    console.log(
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    );
  }
  console.log();
}

/** Bytes in use after a garbage collection, in JavaScript's heap and the typed arrays outside it. */
export function usedMemory(): number {
  // Twice, since the first run leaves objects that finalizers hold.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
