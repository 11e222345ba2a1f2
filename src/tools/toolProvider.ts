import type { Diagnostic } from '../core/catalog/diagnostic';
import type { UnnamedTool } from '../core/catalog/tool';
import type { ToolSource } from '../core/ports';

/** The cached facts about a server from an earlier session. */
interface CachedServer {
  readonly tools: readonly UnnamedTool[];
  /** Fingerprint of the server's definition at that time; absent if its source doesn't know definitions. */
  readonly fingerprint?: string;
}
export type CachedTools = ReadonlyMap<string, CachedServer>;

/** A server that runs as a process group of ours. */
export interface ServerProcess {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** A source of tools that runs MCP servers and lists their tools: VS Code, or our own client. */
export interface ToolProvider extends ToolSource {
  /** The tools of the catalog as their servers gave them, before settings and names for models are applied. */
  readonly given: readonly UnnamedTool[];
  /** Problems with tools or servers that the user can fix. */
  readonly diagnostics: readonly Diagnostic[];
  /** Servers that are starting → when that began, in milliseconds since the epoch. */
  readonly startingSince: ReadonlyMap<string, number>;
  /** The processes of servers by name, if they are ours. */
  readonly processes?: ReadonlyMap<string, ServerProcess>;
  /** Takes in the tools of an earlier session. A configured server has them until it answers. */
  useCached(cached: CachedTools): void;
  /** Begins to follow changes, until it is disposed of. */
  follow(): void;
  /**
   * Starts every server, or only this one. If the user asked, servers that failed are started again too. Never rejects.
   */
  startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void>;
  /** Resolves once nothing that it started is still running. */
  dispose(): void | Promise<void>;
}
