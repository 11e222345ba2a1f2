import type { ExternalStrategy } from '../../../../tool-search';
import { compareText } from '../../catalog/tool';
import { Listeners } from '../../util/listeners';
import { isBuiltIn } from '../types';

/** The strategies that other extensions registered. */
export class StrategyRegistry {
  private readonly strategies = new Map<string, ExternalStrategy>();
  private readonly changed = new Listeners<void>();

  /**
   * Adds a strategy and returns a function that removes it.
   * @throws {Error} if the name is empty or taken, which is a mistake of the extension that registers it
   */
  register(name: string, strategy: ExternalStrategy): () => void {
    if (name.trim() === '') throw new Error('A search strategy needs a name.');
    if (name === 'auto' || isBuiltIn(name) || this.strategies.has(name)) {
      throw new Error(`There is already a search strategy named "${name}".`);
    }
    this.strategies.set(name, strategy);
    this.changed.tell();
    return () => {
      if (this.strategies.get(name) !== strategy) return;
      this.strategies.delete(name);
      this.changed.tell();
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
    return this.changed.add(listener);
  }
}
