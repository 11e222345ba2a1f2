// Detects tools whose definitions have changed since this workspace first saw or accepted them.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { compareText, plainId, splitId, type Tool, type UnnamedTool } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';
import { sameJson } from '../../core/util/sameJson';
import type { CacheFile } from '../catalogCache';

/** A tool that differs from what this workspace first saw or accepted. */
export interface ChangedTool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** The former definition as text; undefined if it wasn't kept. */
  readonly before: string | undefined;
  /** The present definition as text. Made when it is read. */
  readonly after: string;
  /** Identifies the present definition: it is the one that the user accepts. */
  readonly hash: string;
}

/**
 * The parts of a tool's definition that a model may read, that the user reads, or that decide whether the user is
 * asked.
 */
type Said = Pick<UnnamedTool, 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations' | 'examples'>;

/** Increases when the set of compared fields changes: hashes of different versions can't be compared. */
const VERSION = 2;
/**
 * Limit on all former texts that are kept at a time, in characters: enough for one of the largest definitions, or
 * hundreds of real ones.
 */
const MAX_BEFORE = 4_000_000;
/** Placeholder for the text of a tool of which only the hash was kept. */
const NOT_KEPT = '';
/**
 * Highest number of tools of one server that are remembered; no real server has more. A server that keeps inventing
 * names can't push out earlier tools.
 */
const MAX_SEEN = 5_000;

const fileSchema = z.object({
  version: z.literal(VERSION),
  /** By id. `before` is set while the tool differs from the one with the hash. */
  tools: z.record(z.string(), z.object({ hash: z.string(), before: z.optional(z.string()) })),
});
type Seen = Readonly<z.infer<typeof fileSchema>['tools'][string]>;

/**
 * Remembers the definition of each server's tools and finds those that have changed since. A server that is trusted for
 * its present tools can change their definitions tomorrow. The first sight of a tool counts as trust: what the user has
 * allowed or pinned goes by the tool's name, and a new name has none of that.
 */
export class SeenTools {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  readonly #yieldToEventLoop: () => Promise<void>;
  /** By server, then by tool id. */
  readonly #seen = new Map<string, Map<string, Seen>>();
  /** The last definition seen of each tool, to show it as the former one. */
  readonly #latest = new Map<string, Said>();
  readonly #hashes = new WeakMap<object, { readonly said: Said; readonly hash: string }>();
  /** Ids of new tools. Their hashes are made when one is needed, or when everything is written. */
  readonly #unhashed = new Set<string>();
  #room = MAX_BEFORE;
  #writing: Promise<void> = Promise.resolve();

  /**
   * @param yieldToEventLoop lets the host do other work between two tools: to hash a new catalog of megabytes takes a
   * tenth of a second
   */
  constructor(file: CacheFile, log: (message: string) => void, yieldToEventLoop = async () => {}) {
    this.#file = file;
    this.#log = log;
    this.#yieldToEventLoop = yieldToEventLoop;
  }

  /**
   * Reads what was seen in earlier sessions. Never rejects: if it can't be read, all tools count as new.
   * @param cached the tools as they were listed last
   */
  async load(cached: Iterable<UnnamedTool>): Promise<void> {
    for (const tool of cached) this.#latest.set(tool.id, saidOf(tool, tool));
    try {
      const text = await this.#file.read();
      const parsed = text === undefined ? undefined : fileSchema.safeParse(JSON.parse(text));
      if (parsed?.success) for (const [id, seen] of Object.entries(parsed.data.tools)) this.#put(id, seen);
      else if (parsed) this.#log('What tools were before is of another version or damaged. It is dropped.');
    } catch (error) {
      this.#log(`What tools were before can't be read. ${String(error)}`);
    }
  }

  /**
   * Takes in the tools that are listed now. Returns those that have changed since they were accepted, by server and
   * name.
   * @param given the tools before settings are applied: examples that the user wrote are no change
   */
  see(tools: readonly Tool[], given: readonly UnnamedTool[]): readonly ChangedTool[] {
    const changed: ChangedTool[] = [];
    const own = new Map(given.map((tool) => [tool.id, tool]));
    let isNew = false;
    for (const tool of tools) {
      if (tool.origin !== 'mcp' || tool.item) continue;
      const { id, server, name } = tool;
      const seen = this.#get(id);
      const latest = this.#latest.get(id);
      const said = saidOf(tool, own.get(id) ?? tool);
      const isNewTool = !seen && (this.#seen.get(serverOf(id))?.size ?? 0) < MAX_SEEN;
      // Most tools are unchanged since the list of the last session, so the whole catalog is never hashed at once.
      const isSame = seen && seen.before === undefined && latest && sameJson(latest, said);
      this.#latest.set(id, said);
      if (isSame) continue;
      if (isNewTool) {
        this.#putNew(id, said);
        isNew = true;
        continue;
      }
      const hash = this.#hashOf(said);
      if (seen?.hash === hash) {
        if (seen.before === undefined) continue;
        // The definition is back to the accepted one.
        this.#put(id, { hash });
        isNew = true;
      } else {
        const before =
          seen?.before ??
          (seen && latest && this.#hashOf(latest) === seen.hash ? this.#keep(textOf(latest)) : NOT_KEPT);
        if (seen && before !== seen.before) {
          this.#put(id, { hash: seen.hash, before });
          isNew = true;
        }
        changed.push({
          ...{ id, server, name, hash },
          before: before === NOT_KEPT ? undefined : before,
          get after() {
            return textOf(said);
          },
        });
      }
    }
    if (isNew) this.#write();
    return changed.sort((a, b) => compareText(a.id, b.id));
  }

  /** Accepts these tools as they are here. A tool that has changed again meanwhile stays changed. */
  accept(tools: Iterable<ChangedTool>): void {
    for (const { id, hash } of tools) {
      const latest = this.#latest.get(id);
      if (latest && this.#hashOf(latest) === hash) this.#put(id, { hash });
    }
    this.#write();
  }

  /** Resolves once everything is written. Never rejects. */
  flush(): Promise<void> {
    return this.#writing;
  }

  /** Finds a tool also under its unescaped id, as files of earlier versions have it. */
  #get(id: string): Seen | undefined {
    return this.#seen.get(serverOf(id))?.get(id) ?? this.#seen.get(serverOf(plainId(id)))?.get(plainId(id));
  }

  #put(id: string, seen: Seen): void {
    const server = serverOf(id);
    const tools = this.#seen.get(server) ?? new Map<string, Seen>();
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

  #keep(text: string): string {
    return text.length <= this.#room ? text : NOT_KEPT;
  }

  /** Cached by the schema object, which stays the same when a catalog is made again. */
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
      await this.#yieldToEventLoop();
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

function saidOf(
  { title, description, inputSchema, outputSchema, annotations }: Omit<Said, 'examples'>,
  { examples }: Said,
): Said {
  return { title, description, inputSchema, outputSchema, annotations, examples };
}

/** Keywords whose lists are sets. Servers that keep them as sets list them in another order at each start. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum']);

/** Returns the value with sorted keys, and sorted lists if they are sets, so that another order is no change. */
function inOrder(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => inOrder(item));
    return SETS.has(key) ? items.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))) : items;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort(compareText);
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name], name)]));
}

/** Returns the definition as text for a person to compare. */
function textOf({ description, inputSchema, ...more }: Said): string {
  const said = Object.entries(more).filter(([, value]) => value !== undefined);
  const rest = said.map(([name, value]) => `\n${name}: ${JSON.stringify(inOrder(value), undefined, 2)}\n`);
  return `${description}\n\n${JSON.stringify(inOrder(inputSchema), undefined, 2)}\n${rest.join('')}`;
}
