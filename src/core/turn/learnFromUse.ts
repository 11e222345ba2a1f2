import type { LedgerEvent } from '../ledger/ledger';

/** A tool that was used, and the query that found it. */
interface Use {
  readonly tool: string;
  readonly query: string;
}

/**
 * The uses among new events: calls that succeeded of tools that an earlier search of the same turn returned. The last search that
 * returned a tool counts, and it counts once.
 */
export class UseReader {
  #read = 0;
  /** By turn: the queries of each tool that a search returned and that wasn't called since. */
  readonly #found = new Map<number, Map<string, string>>();

  /** Skips what is there already: it was learnt when it happened. */
  skip(events: readonly LedgerEvent[]): void {
    this.#read = events.length;
  }

  read(events: readonly LedgerEvent[]): readonly Use[] {
    const uses: Use[] = [];
    for (const event of events.slice(this.#read)) {
      const found = this.#found.get(event.turn) ?? new Map<string, string>();
      if (event.type === 'searched' && !event.failed && event.strategy !== 'regex') {
        for (const { id, matchType } of event.hits) if (!NAMED.has(matchType)) found.set(id, event.query);
        this.#found.set(event.turn, found);
      } else if (event.type === 'called' && event.outcome === 'ok') {
        const query = found.get(event.tool);
        if (query !== undefined) uses.push({ tool: event.tool, query });
        found.delete(event.tool);
      } else if (event.type === 'turnEnded') this.#found.delete(event.turn);
    }
    this.#read = events.length;
    return uses;
  }
}

/** Hits that were asked for by their names: nothing is to be learnt from them. */
const NAMED: ReadonlySet<string> = new Set(['exact_name', 'select', 'exact']);
