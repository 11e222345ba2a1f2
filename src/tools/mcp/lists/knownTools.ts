import type { UnnamedTool } from '../../../core/catalog/tool';
import type { DefinedServer } from '../config/definition';
import type { Connection } from '../connection/connection';
import { Freshness } from './freshness';
import { readServerTools } from './serverTools';

/** A server's tools: unknown yet, from the cache, or from this session. */
export class KnownTools extends Freshness {
  readonly #server: DefinedServer;
  #tools: readonly UnnamedTool[];
  #problems: readonly string[] = [];
  #from: 'nowhere' | 'cache' | 'server';

  constructor(server: DefinedServer, cached: readonly UnnamedTool[] | undefined) {
    super();
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

  /** Requests the server's tools. Rejects if the server doesn't answer. `now` is the time of the request. */
  async read(connection: Connection, now: number): Promise<void> {
    const { entries, problems, ...list } = await connection.listTools();
    this.keep(list, now);
    const read = readServerTools(this.#server.name, entries, this.#server.value.alwaysLoad === true);
    this.#tools = read.tools;
    this.#problems = [...problems, ...read.problems];
    this.#from = 'server';
  }
}
