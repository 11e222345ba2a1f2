import type { Catalog, ServerInfo } from '../../../core/catalog/catalog';
import type { Diagnostic } from '../../../core/catalog/diagnostic';
import type { Tool } from '../../../core/catalog/tool';
import { type ToolRun, toolMessage } from '../../../core/ports';
import type { ExampleRules } from '../../../core/settings/examples';
import { l10n } from '../../../core/util/l10n';
import { every, pause } from '../../../core/util/signals';
import { CatalogStore } from '../../catalogStore';
import { LinkedResources } from '../../linkedResources';
import { readTools } from '../../toolList';
import type { ListedTool } from '../../toolOrigin';
import type { CachedTools, ToolProvider } from '../../toolProvider';
import { type DefinedServer, fingerprint } from '../config/definition';
import type { RunOptions } from '../connection/connection';
import { ManagedServer, type ServerDeps } from './managedServer';

/** The interval at which VS Code's own tools are read, in milliseconds. VS Code has no event for changes. */
const POLL_MS = 2000;

/** The functions that the provider needs. */
export interface McpDeps extends Omit<ServerDeps, 'changed'> {
  /** Returns the servers of all files, with unique names. */
  definitions(): readonly DefinedServer[];
  readonly workspace: {
    /** Returns the tools of VS Code and of extensions, without those of MCP servers. */
    otherTools(): readonly ListedTool[];
    /** Returns the rules for examples: the same object while nothing has changed. */
    exampleRules(): ExampleRules;
    trusted(): boolean;
    /** Whether models can find resources and prompts. */
    offersItems(): boolean;
    /** Returns problems with the servers' configuration. */
    diagnostics(): readonly Diagnostic[];
  };
}

/**
 * The provider for MCP servers that the extension itself runs. Their tools come from the cache of an earlier session,
 * and a server starts when one of its tools is called. A server without cached tools is started by the first question,
 * to list them.
 */
export class McpToolProvider implements ToolProvider {
  readonly linked = new LinkedResources();
  readonly #deps: McpDeps;
  readonly #living = new CatalogStore();
  readonly #servers = new Map<string, ManagedServer>();
  /** The servers that are being stopped. */
  readonly #ending = new Set<Promise<void>>();
  #cached: CachedTools = new Map();
  /** Ends the polling; undefined while it isn't running. */
  #endPoll: (() => void) | undefined;
  #soon: NodeJS.Immediate | undefined;
  /** Servers for which a question has waited until its time limit. Later questions don't wait for them. */
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
    return [...this.#deps.workspace.diagnostics(), ...this.#living.diagnostics];
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

  /** Sets the cached tools. Must be called before {@link follow}, since servers are created with them. */
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
    const trusted = this.#deps.workspace.trusted();
    const servers = [...this.#servers.values()];
    const infos = servers.map((server) => ({
      ...(trusted ? server.info : untrusted(server.name)),
      ...sources.get(server.name),
    }));
    const tools = [
      ...readTools(this.#deps.workspace.otherTools(), []).tools,
      ...(trusted ? servers.flatMap((server) => [...server.tools, ...server.items]) : []),
    ];
    this.#living.publish(
      this.linked.withReaders(tools),
      this.#deps.workspace.exampleRules(),
      infos,
      this.#deps.workspace.offersItems(),
    );
    return this.catalog;
  }

  async startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void> {
    this.refresh();
    if (!this.#deps.workspace.trusted()) return;
    const named = [...this.#servers.values()].filter((server) => only === undefined || server.name === only);
    const wanted = named.filter((server) => asked === 'byUser' || !server.settled);
    await Promise.all(wanted.map((server) => server.list()));
  }

  async whenReady(options: Parameters<ToolProvider['whenReady']>[0]): Promise<Catalog> {
    const deadline = Date.now() + options.timeoutMs;
    void this.startServers('byQuestion');
    let reported = '';
    while (!options.signal.aborted) {
      const waiting = this.#deps.workspace.trusted()
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
    if (!this.#deps.workspace.trusted())
      return Promise.resolve(
        toolMessage(
          'failed',
          `${tool.modelName} can't be called: the workspace isn't trusted, so its servers don't run.`,
        ),
      );
    return server.call(tool, input, options);
  }

  isAsking(tool: Tool): boolean {
    return this.#servers.get(tool.server)?.isAsking ?? false;
  }

  /** Returns the longest time of a call according to the server's definition, in seconds. */
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

  /** Creates servers that are new or changed, and stops those that were removed. */
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
      const deps = { ...this.#deps, changed: () => this.#refreshSoon() };
      this.#servers.set(name, new ManagedServer(definition, known, deps));
    }
  }

  /** Refreshes once for many changes: twenty servers that start cause one change of the catalog. */
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

  /** Resolves at the next change of the catalog, after `ms` milliseconds, or when the signal aborts. */
  async #nextChange(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const stop = this.#living.onDidChange(() => woken.abort());
    await pause(ms, AbortSignal.any([signal, woken.signal]));
    stop();
  }
}

/** Returns the file that defines a server, and the files that define it differently. */
function sourceOf({ label, differsIn = [] }: DefinedServer): Pick<ServerInfo, 'source'> {
  if (label === undefined) return {};
  return {
    source:
      differsIn.length > 0
        ? l10n.t('from {0}, defined differently in {1}', label, differsIn.join(', '))
        : l10n.t('from {0}', label),
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
