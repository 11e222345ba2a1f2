// A file that stores the latest tools of MCP servers between sessions. Tools can then be found before their servers
// have started.

import * as z from 'zod/mini';
import type { ServerInfo } from '../core/catalog/catalog';
import { toolId, type UnnamedTool } from '../core/catalog/tool';
import { once } from '../core/util/once';
import { systemTimer } from '../core/util/timers';
import type { StoredFile } from '../vscode/storedData';
import type { CachedTools } from './toolProvider';

/** The version of the file's format. Files of other versions are ignored. */
const VERSION = 4;
/** Many changes come at once while servers start. */
const WRITE_DELAY_MS = 1000;

/** A file that can be read and replaced as a whole. */
export type CacheFile = Pick<StoredFile, 'read' | 'write'>;

const fileSchema = once(() =>
  z.object({
    version: z.literal(VERSION),
    servers: z.record(
      z.string(),
      z.object({
        fingerprint: z.optional(z.string()),
        tools: z.array(
          z.object({
            name: z.string(),
            invokeName: z.string(),
            title: z.optional(z.string()),
            description: z.string(),
            inputSchema: z.record(z.string(), z.unknown()),
            outputSchema: z.optional(z.record(z.string(), z.unknown())),
            annotations: z.optional(z.record(z.string(), z.boolean())),
            alwaysLoad: z.optional(z.boolean()),
            unseen: z.optional(z.string()),
            item: z.optional(z.object({ kind: z.enum(['resource', 'template', 'prompt']), address: z.string() })),
            examples: z.optional(
              z.array(
                z.object({
                  args: z.record(z.string(), z.json()),
                  description: z.optional(z.string()),
                  tags: z.optional(z.array(z.string())),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
  }),
);
type CachedFile = z.infer<ReturnType<typeof fileSchema>>;

/**
 * Stores the latest tools of each server, as the servers publish them. The current settings are applied when the tools
 * are loaded. Commands, addresses, environments and secrets of servers aren't stored.
 */
export class CatalogCache {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  #cancelWrite: (() => void) | undefined;
  #latest: Listing | undefined;
  #kept: CachedFile['servers'] = {};
  readonly #fingerprintOf: (server: string) => string | undefined;

  /**
   * @param fingerprintOf returns a hash of a server's definition; undefined if the definition isn't known. Cached tools
   * are used only if the hash is still the same.
   */
  constructor(
    file: CacheFile,
    log: (message: string) => void,
    fingerprintOf: (server: string) => string | undefined = () => undefined,
  ) {
    this.#file = file;
    this.#log = log;
    this.#fingerprintOf = fingerprintOf;
  }

  /** Returns the tools of the last session. Never rejects: the log says why a file can't be used. */
  async load(): Promise<CachedTools> {
    try {
      const text = await this.#file.read();
      if (text === undefined) return new Map();
      const parsed = fileSchema().safeParse(JSON.parse(text));
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

  /** Writes these servers and tools after a delay. If it is called several times, only the last ones are written. */
  save(servers: readonly ServerInfo[], tools: readonly UnnamedTool[]): void {
    // Computed now, because the definitions are unknown after the source has ended.
    const fingerprints = new Map(servers.map(({ name }) => [name, this.#fingerprintOf(name)]));
    this.#latest = { servers, tools, fingerprints };
    this.#cancelWrite ??= systemTimer(() => void this.flush(), WRITE_DELAY_MS);
  }

  /** Writes changes that are waiting to be written. Never rejects. */
  async flush(): Promise<void> {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    const latest = this.#latest;
    this.#latest = undefined;
    if (!latest) return;
    this.#kept = toServers(latest, this.#kept);
    try {
      await this.#file.write(JSON.stringify({ version: VERSION, servers: this.#kept }));
    } catch (error) {
      this.#log(`The catalog could not be kept for the next session: ${String(error)}`);
    }
  }
}

/** The servers and tools to write. */
interface Listing {
  readonly servers: readonly ServerInfo[];
  readonly tools: readonly UnnamedTool[];
  readonly fingerprints: ReadonlyMap<string, string | undefined>;
}

/**
 * Returns the MCP tools to store, by server. A server without tools, because it failed or the workspace isn't trusted,
 * keeps its stored ones. The tools that read linked resources are valid only in this window and aren't stored. VS
 * Code's own tools are always available and need no cache.
 */
function toServers(listing: Listing, before: CachedFile['servers']): CachedFile['servers'] {
  const servers = new Map<string, CachedFile['servers'][string]>();
  for (const { name } of listing.servers) {
    const fingerprint = listing.fingerprints.get(name);
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const tools = listing.tools.filter(
      (tool) => tool.server === name && tool.origin === 'mcp' && tool.item?.kind !== 'linked',
    );
    if (tools.length === 0 && old && old.fingerprint === fingerprint) servers.set(name, old);
    if (tools.length > 0) servers.set(name, { fingerprint, tools: tools.map(toEntry) });
  }
  return Object.fromEntries(servers);
}

type CachedEntry = CachedFile['servers'][string]['tools'][number];

/** Returns a tool without the fields that {@link toTools} restores. The other fields of MCP tools are in the schema. */
function toEntry({ id, server, origin, ...entry }: UnnamedTool): CachedEntry {
  return entry as CachedEntry;
}

/** Returns the stored tools by server, with the fields that {@link toEntry} left out. */
function toTools(file: CachedFile): CachedTools {
  return new Map(
    Object.entries(file.servers).map(([server, { fingerprint, tools }]) => [
      server,
      {
        fingerprint,
        tools: tools.map((tool): UnnamedTool => ({ id: toolId(server, tool.name), server, origin: 'mcp', ...tool })),
      },
    ]),
  );
}
