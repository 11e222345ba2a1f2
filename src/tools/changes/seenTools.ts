import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { compareText, plainId, splitId, type Tool } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';
import { sameJson } from '../../core/util/sameJson';
import type { CacheFile } from '../catalogCache';
import type { UnnamedTool } from '../toolList';

/** A tool that isn't any more what this workspace last saw or accepted. */
export interface ChangedTool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** What it was, as text; undefined where it wasn't kept. */
  readonly before: string | undefined;
  /** What it is. Made when it is read. */
  readonly after: string;
  /** Names what it is: who accepts it accepts this. */
  readonly hash: string;
}

/** What a server says of a tool: all that a model may read of it, that the user reads of it, or that decides whether they are asked. */
type Said = Pick<UnnamedTool, 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations' | 'examples'>;

/** Grows with what counts as a change: hashes of another kind can't be compared. */
const VERSION = 2;
/** Characters of all texts of before that are kept at a time: one of the largest definition, or of hundreds of real ones. */
const MAX_BEFORE = 4_000_000;
/** In place of the text of a tool that was seen by its hash alone. */
const NOT_KEPT = '';
/** More tools than any server has. A server that goes on inventing names is not to have those before forgotten: these stay. */
const MAX_SEEN = 5_000;

const fileSchema = z.object({
  version: z.literal(VERSION),
  /** By id. `before` is there while the tool is another than the one of the hash. */
  tools: z.record(z.string(), z.object({ hash: z.string(), before: z.optional(z.string()) })),
});
type Seen = Readonly<z.infer<typeof fileSchema>['tools'][string]>;

/**
 * Remembers what each tool of a server said that it is, and which have changed since: a server that is trusted for what its tools
 * were can give them other words tomorrow. The first sight of a tool counts as trust: what the user has allowed, pinned or got
 * used to goes by a tool's name, and a new name has nothing of that.
 */
export class SeenTools {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  readonly #yieldToEventLoop: () => Promise<void>;
  /** By server, then by tool. */
  readonly #seen = new Map<string, Map<string, Seen>>();
  /** The last that was seen of each, to show what was before. */
  readonly #latest = new Map<string, Said>();
  readonly #hashes = new WeakMap<object, { readonly said: Said; readonly hash: string }>();
  /** The ids of those that are new: their hashes are made when one is asked for, or all is written. */
  readonly #unhashed = new Set<string>();
  #room = MAX_BEFORE;
  #writing: Promise<void> = Promise.resolve();

  /** @param yieldToEventLoop lets the host do something else between two tools: to hash a new catalog of megabytes takes a tenth of a second */
  constructor(file: CacheFile, log: (message: string) => void, yieldToEventLoop = async () => {}) {
    this.#file = file;
    this.#log = log;
    this.#yieldToEventLoop = yieldToEventLoop;
  }

  /**
   * Reads what was seen in earlier sessions. Never rejects: where it can't be read, all tools count as new.
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
   * Takes in what is listed now; returns what has changed since it was accepted, by server and name.
   * @param given the tools without what the settings make of them: examples that the user wrote are no change
   */
  see(tools: readonly Tool[], given: readonly UnnamedTool[]): readonly ChangedTool[] {
    const changed: ChangedTool[] = [];
    const own = new Map(given.map((tool) => [tool.id, tool]));
    let isNew = false;
    for (const tool of tools) {
      if (tool.origin !== 'mcp') continue;
      const { id, server, name } = tool;
      const seen = this.#get(id);
      const latest = this.#latest.get(id);
      const said = saidOf(tool, own.get(id) ?? tool);
      const isNewTool = !seen && (this.#seen.get(serverOf(id))?.size ?? 0) < MAX_SEEN;
      // Most are as they were, from the last session's list on: no look hashes a whole catalog.
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
        // It is again what it was.
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

  /** The user accepts these as they are here; one that has become something else meanwhile stays changed. */
  accept(tools: Iterable<ChangedTool>): void {
    for (const { id, hash } of tools) {
      const latest = this.#latest.get(id);
      if (latest && this.#hashOf(latest) === hash) this.#put(id, { hash });
    }
    this.#write();
  }

  /** Resolves once all is written. Never rejects. */
  flush(): Promise<void> {
    return this.#writing;
  }

  /** A file from before ids were escaped has the tool under its plain id. */
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

  /** Kept by the schema, which a catalog that is made anew goes on holding. */
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

/** Lists of a schema that say the same in any order: servers that keep them as sets list them in another one at each start. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum']);

/** The same with keys, and lists that are sets, in one order: another order is no change. */
function inOrder(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => inOrder(item));
    return SETS.has(key) ? items.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))) : items;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort(compareText);
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name], name)]));
}

/** As a person compares it. */
function textOf({ description, inputSchema, ...more }: Said): string {
  const said = Object.entries(more).filter(([, value]) => value !== undefined);
  const rest = said.map(([name, value]) => `\n${name}: ${JSON.stringify(inOrder(value), undefined, 2)}\n`);
  return `${description}\n\n${JSON.stringify(inOrder(inputSchema), undefined, 2)}\n${rest.join('')}`;
}
