// The files in which agents store their MCP servers: one row for each, with its path, format and key.

import path from 'node:path';
import type { AgentName } from '../../../core/settings/settings';

export interface Machine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: { readonly [name: string]: string | undefined };
}

/** A server's entry in the form of its file. */
export type AgentEntry = { readonly [key: string]: unknown };

export interface AgentFile {
  /** The agent that reads the file. `copilot` is both Copilot CLI and Copilot's sessions on VS Code's Agent Host. */
  readonly agent: AgentName | 'copilot';
  /** The agent's name for users. */
  readonly title: string;
  /** Returns the path of the user's own file. It is never in a repository, so it may contain a token. */
  readonly place: (machine: Machine) => string;
  /** The path in a workspace folder, if the agent reads a file there. */
  readonly inFolder?: string;
  readonly format: 'json' | 'toml';
  readonly key: string;
  /** Returns a second key, with the servers of one folder only. */
  readonly keyOfFolder?: (folder: string) => readonly string[];
  /** Returns the entry for our endpoint; undefined if the agent doesn't support servers over HTTP. */
  readonly entry?: (url: string, authorization: string) => AgentEntry;
}

/** On Windows, the environment variable `APPDATA` has the folder for settings of programs. */
const appData = ({ home, env }: Machine) => env.APPDATA || path.win32.join(home, 'AppData', 'Roaming');

const join = ({ platform }: Machine, ...parts: readonly string[]) =>
  (platform === 'win32' ? path.win32 : path.posix).join(...parts);

const http = (url: string, Authorization: string): AgentEntry => ({ type: 'http', url, headers: { Authorization } });

/**
 * The files, the most specific first. If two files have an entry for one server, the first is used. An empty environment
 * variable counts as not set, as the agents read it.
 */
export const AGENT_FILES: readonly AgentFile[] = [
  {
    agent: 'copilot',
    title: 'Copilot (Agent Host, CLI)',
    place: (on) => join(on, on.env.COPILOT_HOME || join(on, on.home, '.copilot'), 'mcp-config.json'),
    inFolder: '.mcp.json',
    format: 'json',
    key: 'mcpServers',
    entry: (url, authorization) => ({ ...http(url, authorization), tools: ['*'] }),
  },
  {
    agent: 'claudeCode',
    title: 'Claude Code',
    place: (on) => join(on, on.env.CLAUDE_CONFIG_DIR || on.home, '.claude.json'),
    format: 'json',
    key: 'mcpServers',
    keyOfFolder: (folder) => ['projects', folder, 'mcpServers'],
    entry: http,
  },
  {
    agent: 'codex',
    title: 'Codex',
    place: (on) => join(on, on.env.CODEX_HOME || join(on, on.home, '.codex'), 'config.toml'),
    inFolder: '.codex/config.toml',
    format: 'toml',
    key: 'mcp_servers',
    entry: (url, Authorization) => ({ url, http_headers: { Authorization } }),
  },
  {
    agent: 'cursor',
    title: 'Cursor',
    place: (on) => join(on, on.home, '.cursor', 'mcp.json'),
    inFolder: '.cursor/mcp.json',
    format: 'json',
    key: 'mcpServers',
    entry: (url, Authorization) => ({ url, headers: { Authorization } }),
  },
  {
    agent: 'windsurf',
    title: 'Windsurf',
    place: (on) => join(on, on.home, '.codeium', 'windsurf', 'mcp_config.json'),
    format: 'json',
    key: 'mcpServers',
    entry: (url, Authorization) => ({ serverUrl: url, headers: { Authorization } }),
  },
  {
    agent: 'claudeDesktop',
    title: 'Claude Desktop',
    place: (on) => {
      const name = 'claude_desktop_config.json';
      if (on.platform === 'win32') return join(on, appData(on), 'Claude', name);
      if (on.platform === 'darwin') return join(on, on.home, 'Library', 'Application Support', 'Claude', name);
      return join(on, on.env.XDG_CONFIG_HOME || join(on, on.home, '.config'), 'Claude', name);
    },
    format: 'json',
    key: 'mcpServers',
  },
];
