import { compareText, type Tool } from '../../catalog/tool';
import type { TurnInfo } from '../../hooks/turnTools';
import { BUILT_IN_STRATEGIES } from '../types';

// The search strategies that other extensions register.

/** The conditions of a search, without its queries. */
export interface ExternalSearch {
  /** The number of tools to return for a query. */
  readonly limit: number;
  /** The server that the search is limited to, as the model wrote it. `tools` then has only tools of that server. */
  readonly server?: string;
  /** Whether to return only tools that declare themselves read-only. */
  readonly readOnly: boolean;
  /** The ids of all tools that are deferred now, including those of other servers. */
  readonly deferred: ReadonlySet<string>;
  /** Ids of the tools that this conversation's searches have found before. */
  readonly discovered: ReadonlySet<string>;
  /** The turn that searches. Absent if no turn does, or if another agent asks, whose question isn't known. */
  readonly turn?: TurnInfo;
}

/**
 * A registered strategy. It returns names of `tools` (id, own name or model name), best first. It is called once with
 * all queries of a search, the tools that may be found, a signal, and the other conditions of the search. The signal
 * aborts when the answer is no longer needed.
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
   * @throws {Error} if the name is empty or taken, which is a mistake of the extension that registers it
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

  /** Calls `listener` after each change. Returns a function that stops the calls. */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
