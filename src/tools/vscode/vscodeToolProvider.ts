// The provider for MCP servers that VS Code runs. It polls VS Code's list of tools, since there is no event for
// changes.

import type { Catalog, ServerInfo } from '../../core/catalog/catalog';
import { compareText } from '../../core/catalog/tool';
import type { ExampleRules } from '../../core/settings/toolExamples';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { sameJson } from '../../core/util/sameJson';
import { pause } from '../../core/util/timers';
import type { ConfiguredServer } from '../configuredServer';
import { PolledProvider } from '../polledProvider';
import { ServerStates } from '../serverStates';
import { type ReadTools, readTools } from '../toolList';
import type { ListedTool } from '../toolOrigin';

/** The time until VS Code lists the tools of a server that has started. */
const SETTLE_MS = 1000;
/**
 * How often a start of all servers is tried as long as none has tools, and the pause between two tries. VS Code reads
 * its servers some time after a window has opened, and until then starts none.
 */
const START_TRIES = 3;
const RETRY_MS = 3000;

/** The functions of VS Code that the provider uses. */
export interface VscodeToolApi {
  listTools(): readonly ListedTool[];
  /** Returns the servers: the same array while nothing has changed. */
  configuredServers(): readonly ConfiguredServer[];
  /** Returns the rules for examples: the same object while nothing has changed. */
  exampleRules(): ExampleRules;
  trusted(): boolean;
  /** Whether the user allows questions to start servers. */
  autostart(): boolean;
  /**
   * Starts all servers, or only this one. Resolves when each is running or has failed. Rejects if VS Code can't be
   * asked.
   */
  startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void>;
}

/** The state at the last read, with which changes are detected cheaply. */
interface LastRead {
  readonly listed: readonly ListedTool[];
  readonly configured: readonly ConfiguredServer[];
  readonly secrets: number;
}

/** A tool as VS Code lists it, and the same tool without secrets. */
interface Hidden {
  readonly given: ListedTool;
  readonly shown: ListedTool;
}

/** Observes VS Code's tools and servers and publishes them as one catalog. */
export class VscodeToolProvider extends PolledProvider {
  readonly #host: VscodeToolApi;
  readonly #log: (message: string) => void;
  readonly #secrets: Pick<KnownSecrets, 'redactIn' | 'size'>;
  /** The tools at the last read, with and without secrets, by their names in VS Code. */
  #hidden: ReadonlyMap<string, Hidden> = new Map();
  readonly #book = new ServerStates();
  #seen: LastRead | undefined;
  #read: ReadTools = { tools: [], problems: new Map() };
  #start: Promise<void> | undefined;
  #startPending = false;

  /** @param secrets removed from definitions, since a server may write a secret into them */
  constructor(host: VscodeToolApi, log: (message: string) => void, secrets: Pick<KnownSecrets, 'redactIn' | 'size'>) {
    super();
    this.#host = host;
    this.#log = log;
    this.#secrets = secrets;
  }

  get startingSince(): ReadonlyMap<string, number> {
    const starting = this.catalog.servers.filter((server) => server.state === 'starting');
    return new Map(starting.map((server) => [server.name, this.#book.askedAt(server.name) ?? Date.now()]));
  }

  refresh(): Catalog {
    const listed = this.#host.listTools();
    const configured = this.#host.configuredServers();
    const secrets = this.#secrets.size;
    const before = this.#seen;
    if (before?.configured !== configured || before.secrets !== secrets || !sameList(before.listed, listed)) {
      this.#seen = { listed, configured, secrets };
      this.#read = readTools(this.#withoutSecrets(listed, before?.secrets === secrets), configured);
    }
    const running = new Set(this.#read.tools.map((tool) => tool.server));
    const names = configured.map((server) => server.name);
    this.#book.see(names, running);

    const servers = this.#servers(running);
    const fromCache = servers.flatMap((server) => (server.cached ? (this.cached.get(server.name)?.tools ?? []) : []));
    const tools = this.linked.withReaders([...this.#read.tools, ...fromCache]);
    this.living.publish(tools, this.#host.exampleRules(), servers);
    return this.catalog;
  }

  startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void> {
    if (only !== undefined) return this.#startOne(asked, only);
    if (this.#startPending) return this.#start ?? Promise.resolve();
    this.#startPending = true;
    this.givenUp.clear();
    const names = this.refresh()
      .servers.filter((server) => server.state === 'stopped' || (asked === 'byUser' && server.state === 'failed'))
      .map((server) => server.name);
    this.#book.asked(names, Date.now());
    this.#start = this.#startNow(asked).finally(() => {
      this.#startPending = false;
      this.refresh();
    });
    this.refresh();
    return this.#start;
  }

  /** Starts one server at once, even if a start of all servers is still running, since that may never end. */
  async #startOne(asked: 'byQuestion' | 'byUser', name: string): Promise<void> {
    const state = this.refresh().servers.find((server) => server.name === name)?.state;
    if (state !== 'stopped' && state !== 'failed') return;
    this.givenUp.delete(name);
    this.#book.asked([name], Date.now());
    this.refresh();
    await this.#startNow(asked, name);
    this.refresh();
  }

  async #startNow(asked: 'byQuestion' | 'byUser', only?: string): Promise<void> {
    try {
      for (let tries = 1; ; tries++) {
        // A further try doesn't ask again about servers that the user has just refused.
        await this.#host.startServers(tries === 1 ? asked : 'byQuestion', only);
        await pause(SETTLE_MS);
        const { tools, servers } = this.refresh();
        const isEmpty = servers.length > 0 && !tools.some(({ origin }) => origin === 'mcp');
        if (only !== undefined || !isEmpty || tries === START_TRIES) break;
        await pause(RETRY_MS);
      }
      this.#book.startOver(only);
    } catch (error) {
      this.#log(`VS Code could not be asked to start MCP servers: ${String(error)}`);
    }
  }

  protected startForQuestion(): void {
    const unasked = this.refresh().servers.some(({ name, state }) => state === 'stopped' && this.#book.neverRan(name));
    if ((unasked || !this.#start) && this.#host.trusted() && this.#host.autostart())
      void this.startServers('byQuestion');
  }

  /** Returns the servers that are starting and have no cached tools. Cached tools can already be found. */
  protected awaited(): readonly string[] | undefined {
    const names = this.refresh()
      .servers.filter((server) => server.state === 'starting' && !server.cached && !this.givenUp.has(server.name))
      .map((server) => server.name);
    // Servers in the user's profile may be in a file that the extension can't read. Then it can only wait for the
    // start as a whole.
    const blind =
      this.#startPending && !this.givenUp.has('') && !this.catalog.tools.some((tool) => tool.origin === 'mcp');
    return names.length > 0 || blind ? names : undefined;
  }

  /**
   * Removes secrets from the tools, but not from their names, by which they are called. Only tools that changed since
   * the last read are searched.
   */
  #withoutSecrets(listed: readonly ListedTool[], sameSecrets: boolean): readonly ListedTool[] {
    const before = sameSecrets ? this.#hidden : new Map<string, Hidden>();
    const hidden = listed.map((given): Hidden => {
      const known = before.get(given.name);
      if (known && sameJson(known.given, given)) return known;
      const { description, inputSchema, examples } = given;
      return {
        given,
        shown: { ...given, ...this.#secrets.redactIn({ description, inputSchema, ...(examples ? { examples } : {}) }) },
      };
    });
    this.#hidden = new Map(hidden.map((each) => [each.given.name, each]));
    return hidden.map(({ shown }) => shown);
  }

  #servers(running: ReadonlySet<string>): readonly ServerInfo[] {
    const trusted = this.#host.trusted();
    return [...this.#book.names].sort(compareText).map((name) => {
      const state = this.#book.stateOf(name, running, trusted);
      const info = { name, ...state, problems: this.#read.problems.get(name) ?? [] };
      const awaited = this.#book.neverRan(name) && (info.state === 'starting' || info.state === 'stopped');
      return awaited && this.cached.has(name) ? { ...info, cached: true } : info;
    });
  }
}

const COMPARED = ['name', 'description', 'inputSchema', 'fullReferenceName'] as const;

/** Whether two lists are the same. VS Code replaces all schemas when one tool changes, so their identity counts. */
function sameList(before: readonly ListedTool[], now: readonly ListedTool[]): boolean {
  const isSame = (tool: ListedTool, index: number) => COMPARED.every((key) => tool[key] === before[index]?.[key]);
  return before.length === now.length && now.every(isSame);
}
