import type { UnnamedTool } from '../../core/catalog/tool';
import type { Connection } from './connection';
import type { DefinedServer } from './definition';
import { readServerTools } from './serverTools';

/** A server's tools as they are known: not yet, from the last session, or from this one. */
export class KnownTools {
  readonly #server: DefinedServer;
  #tools: readonly UnnamedTool[];
  #problems: readonly string[] = [];
  #from: 'nowhere' | 'cache' | 'server';
  /** Until when the server says that its list holds; undefined if it doesn't say. As `Date.now()` counts. */
  #freshUntil: number | undefined;
  #isPublic = false;

  constructor(server: DefinedServer, cached: readonly UnnamedTool[] | undefined) {
    this.#server = server;
    this.#tools = cached ?? [];
    this.#from = cached ? 'cache' : 'nowhere';
  }

  get tools(): readonly UnnamedTool[] {
    return this.#tools;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get from(): 'nowhere' | 'cache' | 'server' {
    return this.#from;
  }

  /** Whether the list is still within the time (`ttlMs`) that the server gave it. A start then needs no new list. */
  isFresh(now: number): boolean {
    return this.#freshUntil !== undefined && now < this.#freshUntil;
  }

  /** Whether the server has said how long its list holds, and that time is over. */
  isStale(now: number): boolean {
    return this.#freshUntil !== undefined && now >= this.#freshUntil;
  }

  /** Ends the freshness of a list that holds for one user alone: another may sign in. */
  userChanges(): void {
    if (!this.#isPublic) this.#freshUntil = undefined;
  }

  /** Lists the server's tools. Rejects if it doesn't answer. `now` is when the list was asked for. */
  async read(connection: Connection, now: number): Promise<void> {
    const { tools, problems, ttlMs, isPublic } = await connection.listTools();
    this.#freshUntil = ttlMs > 0 ? now + ttlMs : undefined;
    this.#isPublic = isPublic;
    const read = readServerTools(this.#server.name, tools, this.#server.value.alwaysLoad === true);
    this.#tools = read.tools;
    this.#problems = [...problems, ...read.problems];
    this.#from = 'server';
  }
}
