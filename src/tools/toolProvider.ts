import type { Diagnostic } from '../core/catalog/diagnostic';
import type { ToolSource } from '../core/ports';
import type { UnnamedTool } from './toolList';

/** What is known of a server from an earlier session. */
interface CachedServer {
  readonly tools: readonly UnnamedTool[];
  /** Of the server's definition then; absent where its source doesn't know definitions. */
  readonly fingerprint?: string;
}
export type CachedTools = ReadonlyMap<string, CachedServer>;

/** Who runs MCP servers and says what tools they have: VS Code, or a client of our own. */
export interface ToolProvider extends ToolSource {
  /** The tools of the catalog as they were given, without what the settings and the whole list make of them. */
  readonly given: readonly UnnamedTool[];
  /** What is wrong with tools or servers that the user can mend. */
  readonly diagnostics: readonly Diagnostic[];
  /** Servers that are starting → since when, in milliseconds since the epoch. */
  readonly startingSince: ReadonlyMap<string, number>;
  /** Takes in the tools of an earlier session: a configured server has them until it answers. */
  useCached(cached: CachedTools): void;
  /** Begins to follow changes, until it is disposed of. */
  follow(): void;
  /** Starts every server, or one alone, by the user's wish again too where it had failed. Never rejects. */
  startServers(asked: 'byQuestion' | 'byUser', only?: string): Promise<void>;
  /** Resolves once nothing is left running that it had started. */
  dispose(): void | Promise<void>;
}
