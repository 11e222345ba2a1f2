import type { Catalog, ServerInfo } from '../../../core/catalog/catalog';
import type { Diagnostic } from '../../../core/catalog/diagnostic';
import type { Tool } from '../../../core/catalog/tool';
import { type ToolRun, toolMessage } from '../../../core/ports';
import type { ExampleRules } from '../../../core/settings/toolExamples';
import { l10n } from '../../../core/util/l10n';
import { PolledProvider } from '../../polledProvider';
import { readTools } from '../../toolList';
import type { ListedTool } from '../../toolOrigin';
import { type DefinedServer, fingerprint } from '../config/definition';
import type { RunOptions } from '../connection/connection';
import { ManagedServer, type ServerDeps } from './managedServer';

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
export class McpToolProvider extends PolledProvider {
  readonly #deps: McpDeps;
  readonly #servers = new Map<string, ManagedServer>();
  /** The servers that are being stopped. */
  readonly #ending = new Set<Promise<void>>();
  #soon: NodeJS.Immediate | undefined;

  constructor(deps: McpDeps) {
    super();
    this.#deps = deps;
  }

  override get diagnostics(): readonly Diagnostic[] {
    return [...this.#deps.workspace.diagnostics(), ...super.diagnostics];
  }

  get startingSince(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#servers.values()].flatMap(({ name, startingSince }) => (startingSince ? [[name, startingSince]] : [])),
    );
  }

  fingerprintOf(server: string): string | undefined {
    return this.#servers.get(server)?.fingerprint;
  }

  refresh(): Catalog {
    if (!this.endPoll) return this.catalog;
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
    const { exampleRules, offersItems } = this.#deps.workspace;
    this.living.publish(this.linked.withReaders(tools), exampleRules(), infos, offersItems());
    return this.catalog;
  }

  async startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void> {
    this.refresh();
    if (!this.#deps.workspace.trusted()) return;
    const named = [...this.#servers.values()].filter((server) => only === undefined || server.name === only);
    const wanted = named.filter((server) => asked === 'byUser' || !server.settled);
    await Promise.all(wanted.map((server) => server.list()));
  }

  protected startForQuestion(): void {
    void this.startServers('byQuestion');
  }

  protected awaited(): readonly string[] | undefined {
    if (!this.#deps.workspace.trusted()) return undefined;
    const waiting = [...this.#servers.values()].filter((it) => !it.settled && !this.givenUp.has(it.name));
    return waiting.length > 0 ? waiting.map(({ name }) => name) : undefined;
  }

  /** Runs a tool of one of the servers. Never rejects. */
  run(tool: Tool, input: { readonly [name: string]: unknown }, options: RunOptions): Promise<ToolRun> {
    const server = this.#servers.get(tool.server);
    if (server && this.#deps.workspace.trusted()) return server.call(tool, input, options);
    const why = server
      ? "the workspace isn't trusted, so its servers don't run"
      : `its server “${tool.server}” is in no file any more`;
    return Promise.resolve(toolMessage('failed', `${tool.modelName} can't be called: ${why}.`));
  }

  isAsking(tool: Tool): boolean {
    return this.#servers.get(tool.server)?.isAsking ?? false;
  }

  /** Returns the longest time of a call according to the server's definition, in seconds. */
  timeoutSecondsOf(tool: Tool): number | undefined {
    return this.#servers.get(tool.server)?.timeoutSeconds;
  }

  override async dispose(): Promise<void> {
    super.dispose();
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
      const cached = this.cached.get(name);
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
    this.givenUp.delete(server.name);
    const ending = server.dispose().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** Returns the file that defines a server, and the files that define it differently. */
function sourceOf({ label, differsIn = [] }: DefinedServer): Pick<ServerInfo, 'source'> {
  if (label === undefined) return {};
  const differently = () => l10n.t('from {0}, defined differently in {1}', label, differsIn.join(', '));
  return { source: differsIn.length > 0 ? differently() : l10n.t('from {0}', label) };
}

function untrusted(name: string): ServerInfo {
  const detail = l10n.t("The workspace isn't trusted, so its servers don't run.");
  return { name, state: 'untrusted', detail, problems: [] };
}
