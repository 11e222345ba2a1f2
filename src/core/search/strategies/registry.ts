import { compareText, type Tool } from '../../catalog/tool';
import { BUILT_IN_STRATEGIES } from '../types';

/** What a search asks for beside its queries. */
interface ExternalSearch {
  /** How many tools are returned for a query. */
  readonly limit: number;
  /** The server that the search is restricted to, as it was written; `tools` holds that server's tools alone then. */
  readonly server?: string;
  /** Whether only tools are wanted that say of themselves that they only read. */
  readonly readOnly: boolean;
  /** Ids of all tools that are deferred now, those of other servers too. */
  readonly deferred: ReadonlySet<string>;
}

/**
 * A strategy from outside: names of `tools` (id, own name or model name), best first. It is given all queries of one search,
 * the tools that may be found, a signal that aborts when nobody waits for its answer any more, and what else was asked.
 */
export type ExternalStrategy = (
  queries: readonly string[],
  tools: readonly Tool[],
  signal: AbortSignal,
  search: ExternalSearch,
) => readonly string[] | Promise<readonly string[]>;

/** The strategies that other extensions registered. */
export class StrategyRegistry {
  private readonly strategies = new Map<string, ExternalStrategy>();
  private readonly listeners = new Set<() => void>();

  /**
   * Adds a strategy; what is returned removes it.
   * @throws {Error} where the name is empty or taken, a mistake of the extension that registers it.
   */
  register(name: string, strategy: ExternalStrategy): () => void {
    if (name.trim() === '') throw new Error('A search strategy needs a name.');
    if (name === 'auto' || (BUILT_IN_STRATEGIES as readonly string[]).includes(name) || this.strategies.has(name)) {
      throw new Error(`There is already a search strategy named "${name}".`);
    }
    this.strategies.set(name, strategy);
    this.changed();
    return () => {
      if (this.strategies.get(name) !== strategy) return;
      this.strategies.delete(name);
      this.changed();
    };
  }

  get(name: string): ExternalStrategy | undefined {
    return this.strategies.get(name);
  }

  /** The registered names, sorted. */
  names(): readonly string[] {
    return [...this.strategies.keys()].sort(compareText);
  }

  /** Calls `listener` after each change; returns what stops that. */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
