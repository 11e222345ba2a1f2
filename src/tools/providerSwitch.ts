import { type Catalog, createCatalog, EMPTY_CATALOG } from '../core/catalog/catalog';
import type { Tool } from '../core/catalog/tool';
import { changedWords } from '../core/code/withheld';
import { type ToolRun, toolMessage } from '../core/ports';
import { Listeners } from '../core/util/listeners';
import type { CatalogCache } from './catalogCache';
import type { ChangedTool, SeenTools } from './changes/seenTools';
import type { ToolProvider } from './toolProvider';

/** One who runs MCP servers, and where it keeps what it knows of them. */
export interface ProviderEntry {
  readonly source: ToolProvider;
  readonly cache: CatalogCache;
  readonly seen: SeenTools;
}

/** One source of tools that can be exchanged for another while everybody goes on holding this one. */
export class ProviderSwitch<Kind extends string> implements Omit<ToolProvider, 'given' | 'useCached' | 'follow'> {
  readonly #make: (kind: Kind) => ProviderEntry;
  readonly #listeners = new Listeners<Catalog>();
  #kind: Kind | undefined;
  #hosting: ProviderEntry | undefined;
  /** As the host in use has it, and as models and everybody else get it. */
  #given: Catalog = EMPTY_CATALOG;
  #catalog: Catalog = EMPTY_CATALOG;
  #changed: readonly ChangedTool[] = [];
  readonly #withholds: () => boolean;
  #stopListening = () => {};
  #ending: Promise<unknown> = Promise.resolve();

  /** @param withholds whether a tool that has changed is kept from everybody until the user accepts it */
  constructor(make: (kind: Kind) => ProviderEntry, withholds: () => boolean = () => false) {
    this.#make = make;
    this.#withholds = withholds;
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
   * Goes over to this kind, with what it kept of its last session, and stops the one before. Does nothing where it is that kind,
   * but tries again where that failed.
   */
  async use(kind: Kind): Promise<void> {
    if (kind === this.#kind) return;
    this.#kind = undefined;
    this.#end();
    const hosting = this.#make(kind);
    this.#kind = kind;
    this.#hosting = hosting;
    this.#take(EMPTY_CATALOG);
    const cached = await hosting.cache.load();
    await hosting.seen.load([...cached.values()].flatMap(({ tools }) => tools));
    if (this.#hosting !== hosting) return;
    // Before anything is published: what is known from the start, servers that haven't been started among it, is never said again.
    this.#stopListening = hosting.source.onDidChange((catalog) => {
      hosting.cache.save(catalog.servers, hosting.source.given);
      this.#take(catalog);
    });
    try {
      hosting.source.useCached(cached);
      hosting.source.follow();
    } catch (error) {
      this.#kind = undefined;
      this.#end();
      throw error;
    }
  }

  /** Tools that aren't any more what the user accepted, or this workspace first saw. */
  get changed(): readonly ChangedTool[] {
    return this.#changed;
  }

  /** The user accepts these as they were shown. */
  acceptChanged(tools: readonly ChangedTool[]): void {
    this.#hosting?.seen.accept(tools);
    this.#take(this.#given);
  }

  /**
   * Why a call of this tool must not be sent: what its server says of it at this moment, the user hasn't accepted. Who calls may
   * hold a tool from before that: a round that was planned, a script that runs, a conversation that names it.
   */
  refusalOf(tool: Tool): ToolRun | undefined {
    if (!this.#withholds() || !this.refresh().withheld?.has(tool.invokeName)) return undefined;
    return toolMessage('refused', changedWords(tool));
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

  /** Resolves once nothing is left running and all is written, or can't be. Never rejects. */
  async dispose(): Promise<void> {
    this.#listeners.clear();
    this.#end();
    await this.#ending;
  }

  #end(): void {
    this.#stopListening();
    this.#stopListening = () => {};
    const before = this.#hosting;
    this.#hosting = undefined;
    if (before)
      this.#ending = Promise.allSettled([
        this.#ending,
        dispose(before.source),
        before.cache.flush(),
        before.seen.flush(),
      ]);
  }

  /** Revisions go on growing, whoever made the catalog. */
  #take(given: Catalog): void {
    this.#given = given;
    this.#changed = this.#hosting?.seen.see(given.tools, this.#hosting.source.given) ?? [];
    const withheld = this.#withholds() && this.#changed.length > 0 ? this.#changed : [];
    this.#catalog = { ...without(given, withheld), revision: this.#catalog.revision + 1 };
    this.#listeners.tell(this.#catalog);
  }
}

/** The catalog with these tools apart from the others. */
function without(catalog: Catalog, withheld: readonly ChangedTool[]): Catalog {
  if (withheld.length === 0) return catalog;
  const ids = new Set(withheld.map(({ id }) => id));
  const kept = catalog.tools.filter(({ id }) => !ids.has(id));
  const left = catalog.tools.filter(({ id }) => ids.has(id)).map((tool) => [tool.invokeName, tool] as const);
  return { ...createCatalog(catalog.revision, kept, catalog.servers), withheld: new Map(left) };
}

/** A promise of it, also where it fails at once. */
async function dispose(source: ToolProvider): Promise<void> {
  await source.dispose();
}
