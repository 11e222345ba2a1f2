import type { Catalog, ServerInfo } from '../../core/catalog/catalog';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import type { Tool } from '../../core/catalog/tool';
import { type ToolRun, toolMessage } from '../../core/ports';
import type { ExampleRules } from '../../core/settings/examples';
import { l10n } from '../../core/util/l10n';
import { every, pause } from '../../core/util/signals';
import { CatalogStore } from '../catalogStore';
import { LinkedResources } from '../linkedResources';
import { readTools } from '../toolList';
import type { ListedTool } from '../toolOrigin';
import type { CachedTools, ToolProvider } from '../toolProvider';
import type { RunOptions, SignInRequest } from './connection';
import { type DefinedServer, fingerprint } from './definition';
import type { Form, UserAnswer } from './form';
import { ManagedServer, type ServerDeps } from './managedServer';

/** How often VS Code's own tools are looked at: it has no event for them. In milliseconds. */
const POLL_MS = 2000;

/** The parts of VS Code that the provider uses. */
export interface McpDeps extends Pick<ServerDeps, 'connect' | 'allow' | 'now' | 'idleMs' | 'idleMinutes'> {
  /** The servers of all `mcp.json`, under names of their own. */
  definitions(): readonly DefinedServer[];
  /** Tools of VS Code and of extensions, without those of MCP servers. */
  otherTools(): readonly ListedTool[];
  /** The same object while nothing has changed. */
  exampleRules(): ExampleRules;
  trusted(): boolean;
  /** Whether models find resources and prompts. */
  offersItems(): boolean;
  /** Problems around the servers. */
  diagnostics(): readonly Diagnostic[];
  /** Asks the user what a server wants to know in the middle of a call. */
  ask(server: string, form: Form, signal: AbortSignal, canEnd: boolean): Promise<UserAnswer>;
  /** Asks whether the user signs in to a server, and opens the page in the browser. */
  signIn(server: string, request: SignInRequest, signal: AbortSignal): Promise<boolean>;
  log(server: string, line: string): void;
}

/**
 * MCP servers that run in the extension itself. Their tools come from the cache of an earlier session, and a server is
 * started only when one of its tools is called; one whose tools aren't known is started once, by the first
 * question, to list them.
 */
export class McpToolProvider implements ToolProvider {
  readonly linked = new LinkedResources();
  readonly #deps: McpDeps;
  readonly #living = new CatalogStore();
  readonly #servers = new Map<string, ManagedServer>();
  /** Those that are being stopped. */
  readonly #ending = new Set<Promise<void>>();
  #cached: CachedTools = new Map();
  /** Ends the looks; undefined while nobody follows. */
  #endPoll: (() => void) | undefined;
  #soon: NodeJS.Immediate | undefined;
  /** Servers that a question has waited for in vain: later questions don't wait for them. */
  readonly #givenUp = new Set<ManagedServer>();

  constructor(deps: McpDeps) {
    this.#deps = deps;
  }

  get catalog(): Catalog {
    return this.#living.current;
  }

  get given(): ToolProvider['given'] {
    return this.#living.given;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#deps.diagnostics(), ...this.#living.diagnostics];
  }

  get processes(): ToolProvider['processes'] & {} {
    return new Map([...this.#servers.values()].flatMap(({ name, process }) => (process ? [[name, process]] : [])));
  }

  get startingSince(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#servers.values()].flatMap(({ name, startingSince }) => (startingSince ? [[name, startingSince]] : [])),
    );
  }

  fingerprintOf(server: string): string | undefined {
    return this.#servers.get(server)?.fingerprint;
  }

  follow(): void {
    this.#endPoll ??= every(() => this.refresh(), POLL_MS);
    this.refresh();
  }

  /** Before {@link follow}: a server is made with what is known of it. */
  useCached(cached: CachedTools): void {
    this.#cached = cached;
  }

  onDidChange(listener: (catalog: Catalog) => void): () => void {
    return this.#living.onDidChange(listener);
  }

  refresh(): Catalog {
    if (!this.#endPoll) return this.catalog;
    const definitions = this.#deps.definitions();
    this.#follow(definitions);
    const sources = new Map(definitions.map((definition) => [definition.name, sourceOf(definition)]));
    const trusted = this.#deps.trusted();
    const servers = [...this.#servers.values()];
    const infos = servers.map((server) => ({
      ...(trusted ? server.info : untrusted(server.name)),
      ...sources.get(server.name),
    }));
    const tools = [
      ...readTools(this.#deps.otherTools(), []).tools,
      ...(trusted ? servers.flatMap((server) => [...server.tools, ...server.items]) : []),
    ];
    this.#living.publish(this.linked.withReaders(tools), this.#deps.exampleRules(), infos, this.#deps.offersItems());
    return this.catalog;
  }

  async startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void> {
    this.refresh();
    if (!this.#deps.trusted()) return;
    const named = [...this.#servers.values()].filter((server) => only === undefined || server.name === only);
    const wanted = named.filter((server) => asked === 'byUser' || !server.settled);
    await Promise.all(wanted.map((server) => server.list()));
  }

  async whenReady(options: Parameters<ToolProvider['whenReady']>[0]): Promise<Catalog> {
    const deadline = Date.now() + options.timeoutMs;
    void this.startServers('byQuestion');
    let reported = '';
    while (!options.signal.aborted) {
      const waiting = this.#deps.trusted()
        ? [...this.#servers.values()].filter((it) => !it.settled && !this.#givenUp.has(it))
        : [];
      if (waiting.length === 0) break;
      if (Date.now() >= deadline) {
        for (const server of waiting) this.#givenUp.add(server);
        break;
      }
      const names = waiting.map((server) => server.name);
      if (reported !== names.join('\n')) options.onWait(names);
      reported = names.join('\n');
      await this.#nextChange(deadline - Date.now(), options.signal);
    }
    if (reported) options.onWait([]);
    this.refresh();
    await this.#living.settled();
    return this.catalog;
  }

  /** Runs a tool of one of the servers. Never rejects. */
  run(tool: Tool, input: { readonly [name: string]: unknown }, options: RunOptions): Promise<ToolRun> {
    const server = this.#servers.get(tool.server);
    if (!server)
      return Promise.resolve(
        toolMessage('failed', `${tool.modelName} can't be called: its server “${tool.server}” is in no file any more.`),
      );
    if (!this.#deps.trusted())
      return Promise.resolve(
        toolMessage(
          'failed',
          `${tool.modelName} can't be called: the workspace isn't trusted, so its servers don't run.`,
        ),
      );
    return server.call(tool, input, options);
  }

  /** Whether the tool's server has a question to the user open. */
  isAsking(tool: Tool): boolean {
    return this.#servers.get(tool.server)?.isAsking ?? false;
  }

  /** How long a call of the tool may take by its server's definition, in seconds. */
  timeoutSecondsOf(tool: Tool): number | undefined {
    return this.#servers.get(tool.server)?.timeoutSeconds;
  }

  async dispose(): Promise<void> {
    this.#endPoll?.();
    this.#endPoll = undefined;
    this.#living.dispose();
    for (const server of this.#servers.values()) this.#end(server);
    this.#servers.clear();
    await Promise.all(this.#ending);
  }

  /** Makes servers that are new or changed, and stops those that are gone. */
  #follow(definitions: readonly DefinedServer[]): void {
    const wanted = new Map(definitions.map((definition) => [definition.name, definition]));
    for (const [name, server] of this.#servers) {
      const definition = wanted.get(name);
      if (definition === server.definition || (definition && fingerprint(definition) === server.fingerprint)) continue;
      this.#servers.delete(name);
      this.linked.forget(name);
      this.#end(server);
    }
    for (const [name, definition] of wanted) {
      if (this.#servers.has(name)) continue;
      const cached = this.#cached.get(name);
      const known = cached?.fingerprint === fingerprint(definition) ? cached.tools : undefined;
      const deps: ServerDeps = {
        connect: this.#deps.connect,
        allow: this.#deps.allow,
        now: this.#deps.now,
        idleMs: this.#deps.idleMs,
        idleMinutes: this.#deps.idleMinutes,
        ask: (...form) => this.#deps.ask(name, ...form),
        signIn: (request, signal) => this.#deps.signIn(name, request, signal),
        changed: () => this.#refreshSoon(),
        log: (line) => this.#deps.log(name, line),
      };
      this.#servers.set(name, new ManagedServer(definition, known, deps));
    }
  }

  /** Servers change in bursts: twenty that start are one change of the catalog. */
  #refreshSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.refresh();
    });
  }

  #end(server: ManagedServer): void {
    const ending = server.dispose().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Resolves with the next change of the catalog, after a time, or when it is given up. */
  async #nextChange(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const stop = this.#living.onDidChange(() => woken.abort());
    await pause(ms, AbortSignal.any([signal, woken.signal]));
    stop();
  }
}

/** The file that a server is from, and those that define it differently. */
function sourceOf({ label, differsIn = [] }: DefinedServer): Pick<ServerInfo, 'source'> {
  if (label === undefined) return {};
  return {
    source:
      differsIn.length > 0 ? l10n.t('from {0}, not as in {1}', label, differsIn.join(', ')) : l10n.t('from {0}', label),
  };
}

function untrusted(name: string): ServerInfo {
  return {
    name,
    state: 'untrusted',
    detail: l10n.t("The workspace isn't trusted, so its servers don't run."),
    problems: [],
  };
}
