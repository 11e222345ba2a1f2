import { compareText, type Tool } from '../catalog/tool';
import { BUILT_IN_STRATEGIES } from './types';

/**
 * A strategy from outside: names of `tools` (id, own name or model name), best first. It is given the searchable tools and
 * a signal that aborts when nobody waits for its answer any more.
 */
export type ExternalStrategy = (
  queries: readonly string[],
  tools: readonly Tool[],
  signal: AbortSignal,
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
