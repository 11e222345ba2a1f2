// Finds tools whose definitions have changed since this workspace first saw or accepted them.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { compareText, splitId, type Tool, type UnnamedTool } from '../../core/catalog/tool';
import { once } from '../../core/util/once';
import { sameJson } from '../../core/util/sameJson';
import { yieldToEventLoop } from '../../core/util/yieldToEventLoop';
import type { CacheFile } from '../catalogCache';
import { inOrder, type Said, saidOf, textOf } from './comparedDefinition';

/** A tool whose definition differs from the one that this workspace first saw or accepted. */
export interface ChangedTool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** The accepted definition as text; undefined if only its hash is known. */
  readonly before: string | undefined;
  /** The new definition as text. It is generated when it is read. */
  readonly after: string;
  /** The hash of the new definition, which the user accepts. */
  readonly hash: string;
}

/** The version of the set of compared fields. Hashes of different versions can't be compared. */
const VERSION = 2;
/** The maximum number of characters of all stored definitions: one of the largest, or hundreds of real ones. */
const MAX_BEFORE = 4_000_000;
/** Replaces the text of a definition if only its hash is stored. */
const NOT_KEPT = '';
/**
 * The maximum number of tools of one server that are stored; no real server has more. Thanks to this limit, a server
 * that makes up new names can't push out earlier tools.
 */
const MAX_SEEN = 5_000;

const fileSchema = once(() =>
  z.object({
    version: z.literal(VERSION),
    /**
     * The stored tools by id. `hash` is the hash of the accepted definition. `before` is the text of the accepted
     * definition, set only while the tool's current definition is another one.
     */
    tools: z.record(z.string(), z.object({ hash: z.string(), before: z.optional(z.string()) })),
  }),
);
type SeenTool = Readonly<z.infer<ReturnType<typeof fileSchema>>['tools'][string]>;

/**
 * Stores a hash of each tool's definition and finds tools that have changed. A server that the user trusts could later
 * change what its tools do. A new tool is accepted without a question: permissions and pins belong to a tool's name, so
 * a new name has none.
 */
export class SeenTools {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  /** The stored definitions by server, then by tool id. */
  readonly #seen = new Map<string, Map<string, SeenTool>>();
  /** The latest definition of each tool, which becomes the "before" text if the tool changes. */
  readonly #latest = new Map<string, Said>();
  readonly #hashes = new WeakMap<object, { readonly said: Said; readonly hash: string }>();
  /** Ids of new tools without a hash. A hash is computed when it is first needed, or when the file is written. */
  readonly #unhashed = new Set<string>();
  /** The number of changes to what is stored. */
  #changes = 0;
  #room = MAX_BEFORE;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: CacheFile, log: (message: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  /**
   * Reads the definitions of earlier sessions. Never rejects: if the file can't be read, all tools are new.
   * @param cached the tools of the last session
   */
  async load(cached: Iterable<UnnamedTool>): Promise<void> {
    for (const tool of cached) this.#latest.set(tool.id, saidOf(tool, tool));
    try {
      const text = await this.#file.read();
      const parsed = text === undefined ? undefined : fileSchema().safeParse(JSON.parse(text));
      if (parsed?.success) for (const [id, seen] of Object.entries(parsed.data.tools)) this.#put(id, seen);
      else if (parsed) this.#log('What tools were before is of another version or damaged. It is dropped.');
    } catch (error) {
      this.#log(`What tools were before can't be read. ${String(error)}`);
    }
  }

  /**
   * Compares the current tools with the accepted ones, and stores new tools. Returns the changed tools, sorted by id.
   * @param given the tools before settings are applied, so that examples from the user's settings aren't changes
   */
  see(tools: readonly Tool[], given: readonly UnnamedTool[]): readonly ChangedTool[] {
    const own = new Map(given.map((tool) => [tool.id, tool]));
    const before = this.#changes;
    const changed = tools.flatMap((tool) => {
      if (tool.origin !== 'mcp' || tool.item) return [];
      return this.#compare(tool, saidOf(tool, own.get(tool.id) ?? tool)) ?? [];
    });
    if (this.#changes !== before) this.#write();
    return changed.sort((a, b) => compareText(a.id, b.id));
  }

  /** Stores a tool's newest definition. Returns the tool if it differs from what the user accepted. */
  #compare({ id, server, name }: Tool, said: Said): ChangedTool | undefined {
    const seen = this.#get(id);
    const latest = this.#latest.get(id);
    this.#latest.set(id, said);
    // Most tools are the same as in the last session. They are compared directly, so the whole catalog is never
    // hashed at once.
    if (seen && seen.before === undefined && latest && sameJson(latest, said)) return undefined;
    if (!seen && (this.#seen.get(serverOf(id))?.size ?? 0) < MAX_SEEN) {
      this.#changes++;
      this.#putNew(id, said);
      return undefined;
    }
    const hash = this.#hashOf(said);
    if (seen?.hash === hash) {
      // The tool has its accepted definition again.
      if (seen.before !== undefined) this.#replace(id, { hash });
      return undefined;
    }
    const accepted = seen && latest && this.#hashOf(latest) === seen.hash ? textOf(latest) : NOT_KEPT;
    const before = seen?.before ?? (accepted.length <= this.#room ? accepted : NOT_KEPT);
    if (seen && before !== seen.before) this.#replace(id, { hash: seen.hash, before });
    return {
      ...{ id, server, name, hash },
      before: before === NOT_KEPT ? undefined : before,
      get after() {
        return textOf(said);
      },
    };
  }

  #replace(id: string, seen: SeenTool): void {
    this.#changes++;
    this.#put(id, seen);
  }

  /** Accepts the definitions in this list. If a tool has changed once more since, it remains a changed tool. */
  accept(tools: Iterable<ChangedTool>): void {
    for (const { id, hash } of tools) {
      const latest = this.#latest.get(id);
      if (latest && this.#hashOf(latest) === hash) this.#put(id, { hash });
    }
    this.#write();
  }

  /** Resolves when everything is written. Never rejects. */
  flush(): Promise<void> {
    return this.#writing;
  }

  #get(id: string): SeenTool | undefined {
    return this.#seen.get(serverOf(id))?.get(id);
  }

  #put(id: string, seen: SeenTool): void {
    const server = serverOf(id);
    const tools = this.#seen.get(server) ?? new Map<string, SeenTool>();
    this.#room += (tools.get(id)?.before?.length ?? 0) - (seen.before?.length ?? 0);
    this.#seen.set(server, tools.set(id, seen));
  }

  #putNew(id: string, said: Said): void {
    const hash = () => this.#hashOf(said);
    this.#put(id, {
      get hash() {
        return hash();
      },
    });
    this.#unhashed.add(id);
  }

  /** The cache is by schema object, which stays the same when a catalog is created again. */
  #hashOf(said: Said): string {
    const known = this.#hashes.get(said.inputSchema);
    if (known && sameJson(known.said, said)) return known.hash;
    const hash = createHash('sha256')
      .update(JSON.stringify(inOrder(said)))
      .digest('base64url')
      .slice(0, 22);
    this.#hashes.set(said.inputSchema, { said, hash });
    return hash;
  }

  #write(): void {
    this.#writing = this.#writing
      .then(() => this.#writeNow())
      .catch((error) => this.#log(`What tools are could not be kept: ${String(error)}`));
  }

  async #writeNow(): Promise<void> {
    for (const id of this.#unhashed) {
      // Hashing a new catalog of megabytes takes a tenth of a second.
      await yieldToEventLoop();
      this.#unhashed.delete(id);
      const seen = this.#get(id);
      if (seen) this.#put(id, { ...seen });
    }
    const tools = [...this.#seen.values()].flatMap((ofServer) => [...ofServer]);
    await this.#file.write(JSON.stringify({ version: VERSION, tools: Object.fromEntries(tools) }));
  }
}

function serverOf(id: string): string {
  return splitId(id)?.server ?? '';
}
