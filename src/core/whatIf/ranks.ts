import type { Catalog } from '../catalog/catalog';
import { eventsOf, type LedgerEvent } from '../ledger/events';
import { BUILT_IN_STRATEGIES, type SearchPort } from '../search/types';
import { groupBy } from '../util/groupBy';
import type { ToolRanks } from './types';

/** The maximum number of queries that are searched again, the newest first. */
const MAX_QUERIES = 30;
/** The number of hits that are checked for the called tool. */
const DEPTH = 100;

interface RankDeps {
  readonly events: readonly LedgerEvent[];
  readonly catalog: Catalog;
  readonly search: SearchPort;
  readonly yieldToEventLoop: () => Promise<void>;
}

/** Searches with the recorded queries again, and returns the ranks of the tools that were called in these turns. */
export async function toolRanks(
  { events, catalog, search, yieldToEventLoop }: RankDeps,
  signal: AbortSignal,
  turns: readonly number[],
): Promise<readonly ToolRanks[]> {
  const wanted = new Set(turns);
  const byTurn = groupBy(
    events.filter(({ turn }) => wanted.has(turn)),
    ({ turn }) => turn,
  );
  const pairs = [...byTurn.values()].reverse().flatMap((own) => {
    const called = new Set(eventsOf(own, 'called').map(({ tool }) => tool));
    return eventsOf(own, 'searched').flatMap(({ query, hits, below }) =>
      [...hits, ...below]
        .filter(({ id }) => query !== '' && called.has(id) && catalog.byId.has(id))
        .map(({ id }) => ({ tool: id, query })),
    );
  });
  const unique = [...new Map(pairs.map((pair) => [`${pair.tool} ${pair.query}`, pair])).values()];
  const ranked: ToolRanks[] = [];
  for (const { tool, query } of unique.slice(0, MAX_QUERIES)) {
    const ranks: (number | null)[] = [];
    for (const strategy of BUILT_IN_STRATEGIES) {
      const outcome = await search.search({ query, strategy, limit: DEPTH }, signal);
      const place = outcome.ok ? [...outcome.hits, ...outcome.below].findIndex((hit) => hit.tool.id === tool) : -1;
      ranks.push(place < 0 ? null : place + 1);
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    ranked.push({ tool, query, ranks });
  }
  return ranked;
}
