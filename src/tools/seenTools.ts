import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { compareText, type Tool } from '../core/catalog/tool';
import { cut } from '../core/text/cut';
import type { CacheFile } from './catalogCache';

/** A tool that isn't any more what this workspace last saw or accepted. */
export interface ChangedTool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** What a model would have been told, as text; undefined where it wasn't kept. */
  readonly before: string | undefined;
  readonly after: string;
}

const VERSION = 1;
/** How much of a definition is kept and shown, in characters: nobody compares more. */
const MAX_TEXT = 100_000;
/** In place of the text of a tool that was seen by its hash alone. */
const NOT_KEPT = '';
/** More tools than any workspace has: those that were seen first are forgotten. */
const MAX_SEEN = 20_000;

const fileSchema = z.object({
  version: z.literal(VERSION),
  /** By id. `before` is there while the tool is another than the one of the hash. */
  tools: z.record(z.string(), z.object({ hash: z.string(), before: z.optional(z.string()) })),
});
type Seen = z.infer<typeof fileSchema>['tools'][string];

/**
 * Remembers what each tool of a server said that it is, and which have changed since: a server that is trusted for what its tools
 * were can give them other words tomorrow. The first sight of a tool counts as trust, since its server was just added.
 */
export class SeenTools {
  readonly #file: CacheFile;
  readonly #log: (message: string) => void;
  readonly #seen = new Map<string, Seen>();
  /** The last that was seen of each, to show what was before. */
  readonly #latest = new Map<string, Pick<Tool, 'description' | 'inputSchema'>>();
  readonly #hashes = new WeakMap<object, { readonly description: string; readonly hash: string }>();
  #writing: Promise<void> = Promise.resolve();

  constructor(file: CacheFile, log: (message: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  /**
   * Reads what was seen in earlier sessions. Never rejects: where it can't be read, all tools count as new.
   * @param cached the tools as they were listed last
   */
  async load(cached: Iterable<Pick<Tool, 'id' | 'description' | 'inputSchema'>>): Promise<void> {
    for (const tool of cached) this.#latest.set(tool.id, tool);
    try {
      const text = await this.#file.read();
      const parsed = text === undefined ? undefined : fileSchema.safeParse(JSON.parse(text));
      if (parsed?.success) for (const [id, seen] of Object.entries(parsed.data.tools)) this.#seen.set(id, seen);
      else if (parsed) this.#log('What tools were before is of another version or damaged. It is dropped.');
    } catch (error) {
      this.#log(`What tools were before can't be read. ${String(error)}`);
    }
  }

  /** Takes in what is listed now; returns what has changed since it was accepted, by server and name. */
  see(tools: readonly Tool[]): readonly ChangedTool[] {
    const changed: ChangedTool[] = [];
    let isNew = false;
    for (const tool of tools) {
      if (tool.origin !== 'mcp') continue;
      const seen = this.#seen.get(tool.id);
      const latest = this.#latest.get(tool.id);
      // Most stay the same object, from the last session's list on: a catalog of megabytes isn't hashed for nothing.
      const isSame = latest?.inputSchema === tool.inputSchema && latest.description === tool.description;
      if (isSame && seen && seen.before === undefined) continue;
      const hash = this.#hashOf(tool);
      this.#latest.set(tool.id, tool);
      if (seen?.hash === hash) {
        if (seen.before === undefined) continue;
        // It is again what it was.
        this.#seen.set(tool.id, { hash });
        isNew = true;
      } else if (!seen) {
        this.#seen.set(tool.id, { hash });
        isNew = true;
      } else {
        const before = seen.before ?? (latest && this.#hashOf(latest) === seen.hash ? textOf(latest) : NOT_KEPT);
        if (before !== seen.before) {
          this.#seen.set(tool.id, { hash: seen.hash, before });
          isNew = true;
        }
        changed.push({
          id: tool.id,
          server: tool.server,
          name: tool.name,
          before: before === NOT_KEPT ? undefined : before,
          after: textOf(tool),
        });
      }
    }
    if (isNew) this.#write();
    return changed.sort((a, b) => compareText(a.id, b.id));
  }

  /** The user accepts these as they are now. */
  accept(ids: Iterable<string>): void {
    for (const id of ids) {
      const latest = this.#latest.get(id);
      if (latest) this.#seen.set(id, { hash: this.#hashOf(latest) });
    }
    this.#write();
  }

  /** Resolves once all is written. Never rejects. */
  flush(): Promise<void> {
    return this.#writing;
  }

  /** Kept by the schema, which a catalog that is made anew goes on holding. */
  #hashOf({ description, inputSchema }: Pick<Tool, 'description' | 'inputSchema'>): string {
    const known = this.#hashes.get(inputSchema);
    if (known?.description === description) return known.hash;
    const hash = createHash('sha256')
      .update(JSON.stringify([description, inputSchema]))
      .digest('base64url')
      .slice(0, 22);
    this.#hashes.set(inputSchema, { description, hash });
    return hash;
  }

  #write(): void {
    const kept = [...this.#seen].slice(-MAX_SEEN);
    const text = JSON.stringify({ version: VERSION, tools: Object.fromEntries(kept) });
    this.#writing = this.#writing
      .then(() => this.#file.write(text))
      .catch((error) => this.#log(`What tools are could not be kept: ${String(error)}`));
  }
}

/** As a person compares it. */
function textOf({ description, inputSchema }: Pick<Tool, 'description' | 'inputSchema'>): string {
  return cut(`${description}\n\n${JSON.stringify(inputSchema, undefined, 2)}\n`, MAX_TEXT);
}
