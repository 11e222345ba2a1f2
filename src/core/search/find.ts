import type { ToolIndex } from './toolIndex';

/** The ids that words find, best first, at once: for thousands of searches. */
export function findIn(index: ToolIndex): (query: string, limit: number) => readonly string[] {
  return (query, limit) => {
    const outcome = index.search({ query, strategy: 'bm25', limit });
    return outcome.ok ? outcome.hits.map((hit) => hit.tool.id) : [];
  };
}
