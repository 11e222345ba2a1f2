import { type Catalog, createCatalog, EMPTY_CATALOG, type ServerInfo } from '../core/catalog/catalog';
import type { Diagnostic } from '../core/catalog/diagnostic';
import { isListedItem, type Tool, type UnnamedTool } from '../core/catalog/tool';
import type { ExampleRules } from '../core/settings/toolExamples';
import { Listeners } from '../core/util/listeners';
import { sameJson } from '../core/util/sameJson';
import { ExampleChecks } from './exampleChecks';
import { finishTools } from './toolList';

/** Holds the current catalog. Its revision increases, and listeners are called, only if its content changes. */
export class CatalogStore {
  readonly #listeners = new Listeners<Catalog>();
  #current: Catalog = EMPTY_CATALOG;
  #diagnostics: readonly Diagnostic[] = [];
  #given: readonly UnnamedTool[] = [];
  #rules: ExampleRules | undefined;
  /** The tools, resources and prompts, with the names that models use. */
  #finished: readonly Tool[] = [];
  #offersItems = false;
  readonly #examples = new ExampleChecks();
  #settling: Promise<void> | undefined;
  #disposed = false;

  get current(): Catalog {
    return this.#current;
  }

  /** The tools as servers gave them, from which the current catalog was made. */
  get given(): readonly UnnamedTool[] {
    return this.#given;
  }

  /** Problems with tools: equal names for models, and examples that don't fit the schema. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  onDidChange(listener: (catalog: Catalog) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Resolves when all examples of the current tools are checked. Unchecked examples aren't used. */
  async settled(): Promise<void> {
    while (this.#settling) await this.#settling;
  }

  /** @param offersItems whether resources and prompts are included */
  publish(
    unnamed: readonly UnnamedTool[],
    rules: ExampleRules,
    servers: readonly ServerInfo[],
    offersItems = false,
  ): void {
    const problems = this.#diagnostics;
    const before = this.#finished;
    const sameOffer = offersItems === this.#offersItems;
    this.#finish(unnamed, rules);
    this.#offersItems = offersItems;
    if (this.#examples.waits) this.#settling ??= this.#settle();
    if (this.#finished === before && sameOffer && sameJson(servers, this.#current.servers)) return;
    const tools = offersItems ? this.#finished : this.#finished.filter((tool) => !isListedItem(tool));
    const items = this.#finished.filter(isListedItem);
    const next = { ...createCatalog(this.#current.revision + 1, tools, servers), items };
    const isSame =
      sameItems(next.tools, this.#current.tools) &&
      sameItems(items, this.#current.items ?? []) &&
      sameJson(next.servers, this.#current.servers);
    if (isSame && sameJson(problems, this.#diagnostics)) return;
    this.#current = next;
    this.#listeners.tell(next);
  }

  dispose(): void {
    this.#disposed = true;
    this.#listeners.clear();
  }

  /** Checks new examples, then publishes the tools again with the examples that fit. */
  async #settle(): Promise<void> {
    await this.#examples.settle();
    this.#settling = undefined;
    const rules = this.#rules;
    if (!rules || this.#disposed) return;
    this.#rules = undefined;
    this.publish(this.#given, rules, this.#current.servers, this.#offersItems);
  }

  /** Gives the tools their names and examples. Does nothing if neither the tools nor the rules have changed. */
  #finish(unnamed: readonly UnnamedTool[], rules: ExampleRules): void {
    if (rules === this.#rules && sameItems(unnamed, this.#given)) return;
    this.#rules = rules;
    this.#given = unnamed;
    const before = new Map(this.#finished.map((tool) => [tool.id, tool]));
    const finished = finishTools(unnamed, rules, before, this.#examples.verdictOn);
    this.#diagnostics = finished.diagnostics;
    this.#finished = finished.tools;
  }
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
