/** A server as an `mcp.json` names it, without its command, address and secrets: only `McpConfig.definitions` has those. */
export interface ConfiguredServer {
  readonly name: string;
  readonly type: 'stdio' | 'http' | 'unknown';
  /** Whether the user wants its tools in every request. */
  readonly alwaysLoad: boolean;
  /** URI of the file that names it. */
  readonly source: string;
}
