/** The agents whose MCP servers the user can add; see `toolsearch.mcp.agents`. */
export const AGENT_NAMES = ['claudeCode', 'codex', 'cursor', 'windsurf', 'claudeDesktop'] as const;

export type AgentName = (typeof AGENT_NAMES)[number];
