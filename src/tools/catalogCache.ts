import * as z from 'zod/mini';
import type { Catalog } from '../core/catalog';
import type { Tool } from '../core/tool';
import type { CachedTools } from './catalogSource';
import type { UnnamedTool } from './toolList';

/** Grows whenever the form of the file changes; a file of another version is dropped. */
const VERSION = 1;
/** Changes come in bursts while servers start. In milliseconds. */
const WRITE_DELAY_MS = 3000;

/** Where the cache is kept. */
export interface CacheFile {
  /** The text, or undefined where there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

const fileSchema = z.object({
  version: z.literal(VERSION),
  servers: z.record(
    z.string(),
    z.array(
      z.object({
        name: z.string(),
        invokeName: z.string(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
        alwaysLoad: z.optional(z.boolean()),
      }),
    ),
  ),
});
type CachedFile = z.infer<typeof fileSchema>;

/**
 * Keeps the last catalog, so that tools can be found before their servers have started. It holds what servers publish of
 * their tools and nothing of how they are run: no command, address, environment or secret.
 */
export class CatalogCache {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest: Catalog | undefined;
  /** What the file holds. */
  #kept: CachedFile['servers'] = {};

  constructor(file: CacheFile, log: (message: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  /** The tools of the last session. A file that can't be used is dropped, and the log says why. Never rejects. */
  async load(): Promise<CachedTools> {
    let text: string | undefined;
    try {
      text = await this.#file.read();
      if (text === undefined) return new Map();
      const parsed = fileSchema.safeParse(JSON.parse(text));
      if (parsed.success) {
        this.#kept = parsed.data.servers;
        return toTools(parsed.data);
      }
      this.#log('The catalog of the last session is of another version or damaged. It is dropped.');
    } catch (error) {
      this.#log(`The catalog of the last session can't be read. It is dropped. ${String(error)}`);
    }
    return new Map();
  }

  /** Writes the catalog a little later, and only the latest of several. */
  save(catalog: Catalog): void {
    this.#latest = catalog;
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS);
  }

  /** Writes what is still to be written. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const catalog = this.#latest;
    this.#latest = undefined;
    if (!catalog) return;
    this.#kept = toServers(catalog, this.#kept);
    const file: CachedFile = { version: VERSION, servers: this.#kept };
    try {
      await this.#file.write(JSON.stringify(file));
    } catch (error) {
      this.#log(`The catalog could not be kept for the next session: ${String(error)}`);
    }
  }
}

/**
 * The MCP tools of a catalog; those of VS Code are there at once. A server that lists none now, since it failed or the
 * workspace isn't trusted, keeps what it had.
 */
function toServers(catalog: Catalog, before: CachedFile['servers']): CachedFile['servers'] {
  const servers = new Map<string, CachedFile['servers'][string]>();
  for (const { name } of catalog.servers) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const tools = catalog.tools.filter((tool) => tool.server === name && tool.origin === 'mcp');
    if (tools.length === 0 && old) servers.set(name, old);
    if (tools.length > 0) servers.set(name, tools.map(toEntry));
  }
  return Object.fromEntries(servers);
}

function toEntry({ name, invokeName, description, inputSchema, alwaysLoad }: Tool): CachedFile['servers'][string][number] {
  return { name, invokeName, description, inputSchema, alwaysLoad };
}

function toTools(file: CachedFile): CachedTools {
  return new Map(
    Object.entries(file.servers).map(([server, tools]) => [
      server,
      tools.map(
        (tool): UnnamedTool => ({
          id: `${server}/${tool.name}`,
          server,
          name: tool.name,
          invokeName: tool.invokeName,
          description: tool.description,
          inputSchema: tool.inputSchema,
          origin: 'mcp',
          ...(tool.alwaysLoad ? { alwaysLoad: true } : {}),
        }),
      ),
    ]),
  );
}
