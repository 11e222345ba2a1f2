// The cache of the tools that MCP servers listed last, in a file between sessions: tools can be found before their
// servers have started.

import * as z from 'zod/mini';
import type { ServerInfo } from '../core/catalog/catalog';
import { toolId, type UnnamedTool } from '../core/catalog/tool';
import { once } from '../core/util/once';
import { systemTimer } from '../core/util/signals';
import type { CachedTools } from './toolProvider';

/** Increases when the format of the file changes. A file of another version is dropped. */
const VERSION = 4;
/** Delay before a write, in milliseconds. Changes come in bursts while servers start. */
const WRITE_DELAY_MS = 1000;

/** The file in which the cache is kept. */
export interface CacheFile {
  /** Returns the text, or undefined if there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

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
 * Keeps the tools that were listed last, so that they can be found before their servers have started. It holds what
 * servers publish about their tools; the current settings are applied when they are loaded. It holds nothing about how
 * servers are run: no command, address, environment or secret.
 */
export class CatalogCache {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  #cancelWrite: (() => void) | undefined;
  #latest: Listing | undefined;
  /** The servers and tools in the file. */
  #kept: CachedFile['servers'] = {};
  readonly #fingerprintOf: (server: string) => string | undefined;

  /**
   * @param fingerprintOf returns a value that changes with a server's definition, after which its cached tools are no
   * longer used; undefined if the definition isn't known
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

  /**
   * Returns the tools of the last session. A file that can't be used is dropped, and the log says why. Never rejects.
   */
  async load(): Promise<CachedTools> {
    let text: string | undefined;
    try {
      text = await this.#file.read();
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

  /** Writes these servers and tools after a delay. Of several, only the latest are written. */
  save(servers: readonly ServerInfo[], tools: readonly UnnamedTool[]): void {
    // Read now, because a source that has ended no longer knows its servers.
    const fingerprints = new Map(servers.map(({ name }) => [name, this.#fingerprintOf(name)]));
    this.#latest = { servers, tools, fingerprints };
    this.#cancelWrite ??= systemTimer(() => void this.flush(), WRITE_DELAY_MS);
  }

  /** Writes what is still waiting to be written. Never rejects. */
  async flush(): Promise<void> {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    const latest = this.#latest;
    this.#latest = undefined;
    if (!latest) return;
    this.#kept = toServers(latest, this.#kept);
    const file: CachedFile = { version: VERSION, servers: this.#kept };
    try {
      await this.#file.write(JSON.stringify(file));
    } catch (error) {
      this.#log(`The catalog could not be kept for the next session: ${String(error)}`);
    }
  }
}

/** The servers and tools that wait to be written. */
interface Listing {
  readonly servers: readonly ServerInfo[];
  readonly tools: readonly UnnamedTool[];
  readonly fingerprints: ReadonlyMap<string, string | undefined>;
}

/**
 * Returns the MCP tools that are listed, without those that read what this window's results linked to; VS Code's own tools are always available and aren't cached. A server that
 * lists none now, because it failed or the workspace isn't trusted, keeps those that it had.
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

function toEntry(tool: UnnamedTool): CachedEntry {
  const {
    name,
    invokeName,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    alwaysLoad,
    unseen,
    examples,
    item,
  } = tool;
  const own = examples as CachedEntry['examples'];
  const hints = annotations && { ...annotations };
  return {
    name,
    invokeName,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: hints,
    alwaysLoad,
    unseen,
    examples: own,
    item: item && item.kind !== 'linked' ? { kind: item.kind, address: item.address } : undefined,
  };
}

function toTools(file: CachedFile): CachedTools {
  return new Map(
    Object.entries(file.servers).map(([server, { fingerprint, tools }]) => [
      server,
      {
        fingerprint,
        tools: tools.map((tool): UnnamedTool => {
          // JSON has no undefined: an absent field is an absent key.
          return { id: toolId(server, tool.name), server, origin: 'mcp', ...tool };
        }),
      },
    ]),
  );
}
