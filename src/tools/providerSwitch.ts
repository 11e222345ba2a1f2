// Switches between the two programs that can run MCP servers, VS Code and our own client.

import { type Catalog, EMPTY_CATALOG } from '../core/catalog/catalog';
import type { Tool } from '../core/catalog/tool';
import { withheldWords } from '../core/planning/withheld';
import { type ToolRun, toolMessage } from '../core/ports';
import { Listeners } from '../core/util/listeners';
import type { CatalogCache } from './catalogCache';
import type { ChangedTool, SeenTools } from './changes/seenTools';
import { withhold } from './changes/withhold';
import type { ToolProvider } from './toolProvider';

/** A provider of MCP tools and the files that store its tools between sessions. */
export interface ProviderEntry {
  readonly source: ToolProvider;
  readonly cache: CatalogCache;
  readonly seen: SeenTools;
}

/** A tool source that can exchange its provider. Code that uses the source keeps the same object. */
export class ProviderSwitch<Kind extends string, Entry extends ProviderEntry = ProviderEntry>
  implements Omit<ToolProvider, 'given' | 'useCached' | 'follow'>
{
  readonly #make: (kind: Kind) => Entry | Promise<Entry>;
  readonly #listeners = new Listeners<Catalog>();
  #kind: Kind | undefined;
  /** The number of switches. If it has increased while a provider was being created, that provider isn't used. */
  #uses = 0;
  #hosting: Entry | undefined;
  /** The provider's catalog, and what all other code gets: the same catalog without withheld tools. */
  #given: Catalog = EMPTY_CATALOG;
  #catalog: Catalog = EMPTY_CATALOG;
  #changed: readonly ChangedTool[] = [];
  readonly #withholds: () => boolean;
  #stopListening = () => {};
  #ending: Promise<unknown> = Promise.resolve();

  /** @param withholds whether changed tools are withheld until the user accepts them */
  constructor(make: (kind: Kind) => Entry | Promise<Entry>, withholds: () => boolean = () => false) {
    this.#make = make;
    this.#withholds = withholds;
  }

  /** The current provider; undefined until it is created. */
  get entry(): Entry | undefined {
    return this.#hosting;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  get diagnostics(): ToolProvider['diagnostics'] {
    return this.#hosting?.source.diagnostics ?? [];
  }

  get startingSince(): ToolProvider['startingSince'] {
    return this.#hosting?.source.startingSince ?? new Map();
  }

  /**
   * Switches to the provider of this kind and stops the previous one. The new provider begins with the tools of its
   * last session. Does nothing if that kind is in use already; tries again if it failed to start.
   */
  async use(kind: Kind): Promise<void> {
    if (kind === this.#kind) return;
    const use = ++this.#uses;
    this.#kind = kind;
    this.#end();
    try {
      const hosting = await this.#make(kind);
      if (use !== this.#uses) return dispose(hosting.source);
      this.#hosting = hosting;
      this.#take(EMPTY_CATALOG);
      const cached = await hosting.cache.load();
      await hosting.seen.load([...cached.values()].flatMap(({ tools }) => tools));
      if (this.#hosting !== hosting) return;
      // Listens before anything is published. The initial state, which includes servers that haven't started, isn't
      // reported again later.
      this.#stopListening = hosting.source.onDidChange((catalog) => {
        hosting.cache.save(catalog.servers, hosting.source.given);
        this.#take(catalog);
      });
      hosting.source.useCached(cached);
      hosting.source.follow();
    } catch (error) {
      if (use === this.#uses) {
        this.#kind = undefined;
        this.#end();
      }
      throw error;
    }
  }

  /** The tools that differ from what the user accepted or this workspace first saw. */
  get changed(): readonly ChangedTool[] {
    return this.#changed;
  }

  /** Accepts these tools, as the user saw them. */
  acceptChanged(tools: readonly ChangedTool[]): void {
    this.#hosting?.seen.accept(tools);
    this.#take(this.#given);
  }

  /**
   * Returns why a tool must not be called now if it is withheld; otherwise undefined. A planned round, a running script
   * or a conversation may have got the tool earlier.
   */
  refusalOf(tool: Tool): ToolRun | undefined {
    const isWithheld = this.#withholds() && this.refresh().withheld?.has(tool.invokeName);
    return isWithheld ? toolMessage('refused', withheldWords(tool)) : undefined;
  }

  onDidChange(listener: (catalog: Catalog) => void): () => void {
    return this.#listeners.add(listener);
  }

  refresh(): Catalog {
    this.#hosting?.source.refresh();
    if (this.#changed.length > 0 && (this.#catalog.withheld !== undefined) !== this.#withholds())
      this.#take(this.#given);
    return this.#catalog;
  }

  startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void> {
    return this.#hosting?.source.startServers(asked, only) ?? Promise.resolve();
  }

  async whenReady(options: Parameters<ToolProvider['whenReady']>[0]): Promise<Catalog> {
    await this.#hosting?.source.whenReady(options);
    return this.#catalog;
  }

  /** Stops the provider. Resolves when nothing runs and each write has ended or failed. Never rejects. */
  async dispose(): Promise<void> {
    this.#listeners.clear();
    this.#uses++;
    this.#end();
    await this.#ending;
  }

  #end(): void {
    this.#stopListening();
    this.#stopListening = () => {};
    const before = this.#hosting;
    this.#hosting = undefined;
    if (!before) return;
    const { source, cache, seen } = before;
    this.#ending = Promise.allSettled([this.#ending, dispose(source), cache.flush(), seen.flush()]);
  }

  /** Publishes a catalog of the provider. Revisions keep increasing when the provider changes. */
  #take(given: Catalog): void {
    this.#given = given;
    this.#changed = this.#hosting?.seen.see(given.tools, this.#hosting.source.given) ?? [];
    const withheld = this.#withholds() && this.#changed.length > 0 ? this.#changed : [];
    this.#catalog = { ...withhold(given, withheld), revision: this.#catalog.revision + 1 };
    this.#listeners.tell(this.#catalog);
  }
}

/** Disposes of a provider. An exception becomes a rejection. */
async function dispose(source: ToolProvider): Promise<void> {
  await source.dispose();
}
