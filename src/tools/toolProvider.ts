import type { Diagnostic } from '../core/catalog/diagnostic';
import type { UnnamedTool } from '../core/catalog/tool';
import type { ToolSource } from '../core/ports';

/** The tools of a server in an earlier session. */
interface CachedServer {
  readonly tools: readonly UnnamedTool[];
  /** The hash of the server's definition then; undefined if the provider doesn't know definitions. */
  readonly fingerprint?: string;
}
export type CachedTools = ReadonlyMap<string, CachedServer>;

/** A tool source that runs MCP servers and lists their tools: VS Code, or our own client. */
export interface ToolProvider extends ToolSource {
  /** The tools as their servers gave them, before settings and names for models are applied. */
  readonly given: readonly UnnamedTool[];
  /** Problems with tools or servers that the user can solve. */
  readonly diagnostics: readonly Diagnostic[];
  /** The servers that are starting, with the time of their start in milliseconds since the epoch. */
  readonly startingSince: ReadonlyMap<string, number>;
  /** Sets the tools of an earlier session. A configured server has these tools until it lists its own. */
  useCached(cached: CachedTools): void;
  /** Starts to observe changes, until the provider is disposed of. */
  follow(): void;
  /**
   * Starts all servers, or only this one. If the user asked for the start, servers that failed are started again too.
   * Never rejects.
   */
  startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void>;
  /** Stops the provider. Resolves when everything that the provider started has ended. */
  dispose(): void | Promise<void>;
}
