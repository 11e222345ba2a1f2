// The table of the files in which agents keep their MCP servers: one row each, with its place, format and key.

import path from 'node:path';
import type { AgentName } from '../../core/settings/agents';

/** The machine on which the files are. */
export interface Machine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: { readonly [name: string]: string | undefined };
}

/** A server's entry in the words of one file. */
export type Entry = { readonly [key: string]: unknown };

/** A row of the table. */
export interface AgentFile {
  /** The agent whose file it is. `copilot` stands for Copilot CLI and for Copilot's sessions on VS Code's Agent Host. */
  readonly agent: AgentName | 'copilot';
  /** The agent's name for people. */
  readonly title: string;
  /** The user's own file. It is never part of a repository, so a token can be in it. */
  readonly place: (machine: Machine) => string;
  /** The file in a workspace folder, if the agent reads one. */
  readonly inFolder?: string;
  readonly format: 'json' | 'toml';
  /** The key that holds the servers. */
  readonly key: string;
  /** A second key for the servers that only one folder has. */
  readonly keyOfFolder?: (folder: string) => readonly string[];
  /** Our endpoint's entry; undefined if the agent can't reach a server over HTTP. */
  readonly entry?: (url: string, authorization: string) => Entry;
  /** The keys that switch an entry off; undefined if it has to be left out. */
  readonly switchedOff?: Entry;
}

/** Windows keeps settings of programs in a folder that `APPDATA` names. */
const appData = ({ home, env }: Machine) => env.APPDATA ?? path.win32.join(home, 'AppData', 'Roaming');

const join = ({ platform }: Machine, ...parts: readonly string[]) =>
  (platform === 'win32' ? path.win32 : path.posix).join(...parts);

const http = (url: string, Authorization: string): Entry => ({ type: 'http', url, headers: { Authorization } });

/** The nearest first: of two entries for one server, the one in the earlier file counts. */
export const AGENT_FILES: readonly AgentFile[] = [
  {
    agent: 'copilot',
    title: 'Copilot (Agent Host, CLI)',
    place: (on) => join(on, on.env.COPILOT_HOME ?? join(on, on.home, '.copilot'), 'mcp-config.json'),
    inFolder: '.mcp.json',
    format: 'json',
    key: 'mcpServers',
    entry: (url, authorization) => ({ ...http(url, authorization), tools: ['*'] }),
  },
  {
    agent: 'claudeCode',
    title: 'Claude Code',
    place: (on) => join(on, on.env.CLAUDE_CONFIG_DIR ?? on.home, '.claude.json'),
    format: 'json',
    key: 'mcpServers',
    keyOfFolder: (folder) => ['projects', folder, 'mcpServers'],
    entry: http,
  },
  {
    agent: 'codex',
    title: 'Codex',
    place: (on) => join(on, on.env.CODEX_HOME ?? join(on, on.home, '.codex'), 'config.toml'),
    inFolder: '.codex/config.toml',
    format: 'toml',
    key: 'mcp_servers',
    entry: (url, Authorization) => ({ url, http_headers: { Authorization } }),
    switchedOff: { enabled: false },
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
    switchedOff: { disabled: true },
  },
  {
    agent: 'claudeDesktop',
    title: 'Claude Desktop',
    place: (on) => {
      const name = 'claude_desktop_config.json';
      if (on.platform === 'win32') return join(on, appData(on), 'Claude', name);
      if (on.platform === 'darwin') return join(on, on.home, 'Library', 'Application Support', 'Claude', name);
      return join(on, on.env.XDG_CONFIG_HOME ?? join(on, on.home, '.config'), 'Claude', name);
    },
    format: 'json',
    key: 'mcpServers',
  },
];
