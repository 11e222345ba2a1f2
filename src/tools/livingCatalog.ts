import { type Catalog, createCatalog, EMPTY_CATALOG, type ServerInfo } from '../core/catalog';
import { sameJson } from '../core/sameJson';
import type { Diagnostic } from '../core/settings';
import type { Tool, ToolExample } from '../core/tool';
import { finishTools, type UnnamedTool } from './toolList';

/** The catalog as it is now. Its revision grows, and listeners are told, only when its content changes. */
export class LivingCatalog {
  readonly #listeners = new Set<(catalog: Catalog) => void>();
  #current: Catalog = EMPTY_CATALOG;
  #diagnostics: readonly Diagnostic[] = [];
  #finishedFrom: readonly unknown[] = [];

  get current(): Catalog {
    return this.#current;
  }

  /** Tools whose names for models clash with ours. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  onDidChange(listener: (catalog: Catalog) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param examples by tool id; the same map while nothing has changed */
  publish(unnamed: readonly UnnamedTool[], examples: ReadonlyMap<string, readonly ToolExample[]>, servers: readonly ServerInfo[]): void {
    const tools = this.#tools(unnamed, examples);
    if (tools === this.#current.tools && sameJson(servers, this.#current.servers)) return;
    const next = createCatalog(this.#current.revision + 1, tools, servers);
    if (sameItems(next.tools, this.#current.tools) && sameJson(next.servers, this.#current.servers)) return;
    this.#current = next;
    for (const listener of [...this.#listeners]) listener(next);
  }

  dispose(): void {
    this.#listeners.clear();
  }

  /** The finished tools; the same array while what they are made of is the same. */
  #tools(unnamed: readonly UnnamedTool[], examples: ReadonlyMap<string, readonly ToolExample[]>): readonly Tool[] {
    const from = [examples, ...unnamed];
    if (sameItems(from, this.#finishedFrom)) return this.#current.tools;
    this.#finishedFrom = from;
    const finished = finishTools(unnamed, examples, this.#current.byId);
    this.#diagnostics = finished.diagnostics;
    return finished.tools;
  }
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
