import { compareText, type Tool } from '../../catalog/tool';
import type { TurnInfo } from '../../hooks/turnTools';
import { BUILT_IN_STRATEGIES } from '../types';

// The search strategies that other extensions register.

/** The conditions of a search beside its queries. */
export interface ExternalSearch {
  /** The number of tools to return for a query. */
  readonly limit: number;
  /** The server that the search is restricted to, as it was written. `tools` then has only that server's tools. */
  readonly server?: string;
  /** Whether to return only tools that declare themselves read-only. */
  readonly readOnly: boolean;
  /** The ids of all tools that are deferred now, including those of other servers. */
  readonly deferred: ReadonlySet<string>;
  /** The ids that this conversation's searches have found before. */
  readonly discovered: ReadonlySet<string>;
  /** The turn that the search is for. Absent if there is none, or another agent asks, whose question isn't known. */
  readonly turn?: TurnInfo;
}

/**
 * A registered strategy. It returns names of `tools` (id, own name or model name), best first. It gets all queries of
 * one search, the tools that may be found, a signal that aborts when its answer is no longer needed, and the other
 * conditions of the search.
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
   * Adds a strategy and returns a function that removes it.
   * @throws {Error} if the name is empty or taken, a mistake of the extension that registers it
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

  /** Returns the registered names, sorted. */
  names(): readonly string[] {
    return [...this.strategies.keys()].sort(compareText);
  }

  /** Calls `listener` after each change. Returns a function that stops that. */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
