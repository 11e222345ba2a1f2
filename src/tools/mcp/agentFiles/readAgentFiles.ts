// Reads the servers in other agents' files and converts them to entries of an `mcp.json`. Bundled separately and loaded
// only if Tool Search runs the servers.

import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { l10n } from '../../../core/util/l10n';
import { asObject, isObject, isTooDeep, jsonText, parseJson } from '../../../core/util/objects';
import { MAX_SERVERS } from '../../configuredServer';
import { isLongName, longName, type McpConfig, tooDeepToRead, tooManyServers } from '../config/parseMcpConfig';
import { AGENT_FILES, type AgentEntry, type AgentFile, type Machine } from './agentFileTable';
import { ENDPOINT_ENTRY, isEndpointUrl } from './ownEndpoint';

const COPILOT = AGENT_FILES.find(({ agent }) => agent === 'copilot') as AgentFile;

/** A file to read. It may not exist. */
export interface AgentPlace {
  readonly row: AgentFile;
  /** The path in the user's home, or relative to `folder`. */
  readonly path: string;
  /** The workspace folder of the file. */
  readonly folder?: string;
  readonly plugin?: Plugin;
}

/** A plugin for agents that is installed on this machine. See https://agent-plugins.org/specification. */
interface Plugin {
  /** The path of its folder. */
  readonly root: string;
  /** The path of the folder in which its servers keep data. */
  readonly data: string;
}

/** The files with a plugin's servers: the standard's, and that of Copilot's and Claude's older formats. */
const PLUGIN_FILES = ['mcp.json', '.mcp.json'];
const MAX_PLUGINS = 200;

/**
 * Returns the files of the agents that the user turned on, and Copilot's, which VS Code's own sessions use.
 * @param folders paths of the workspace folders
 */
export function agentPlaces(agents: readonly string[], folders: readonly string[], machine: Machine): AgentPlace[] {
  const rows = AGENT_FILES.filter(({ agent }) => agent === 'copilot' || agents.includes(agent));
  const inFolders = folders.flatMap((folder) =>
    rows.flatMap((row) => (row.inFolder === undefined ? [] : [{ row, path: row.inFolder, folder }])),
  );
  return [...inFolders, ...rows.map((row) => ({ row, path: row.place(machine) }))];
}

/**
 * Returns the files of plugins that were installed with Copilot CLI, which VS Code uses too. They are like Copilot's.
 * @param data the path of the folder for the data of all plugins
 */
export async function pluginPlaces(machine: Machine, data: string): Promise<AgentPlace[]> {
  const installed = path.join(path.dirname(COPILOT.place(machine)), 'installed-plugins');
  const places: AgentPlace[] = [];
  for (const marketplace of await namesIn(installed))
    for (const name of await namesIn(path.join(installed, marketplace))) {
      const plugin = { root: path.join(installed, marketplace, name), data: path.join(data, marketplace, name) };
      const files = await namesIn(plugin.root);
      const file = PLUGIN_FILES.find((each) => files.includes(each));
      if (!file) continue;
      await mkdir(plugin.data, { recursive: true });
      places.push({ row: COPILOT, path: path.join(plugin.root, file), plugin });
      if (places.length === MAX_PLUGINS) return places;
    }
  return places;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/**
 * Reads an agent's file. A broken entry is reported as a problem, and the other entries are used.
 * @param folders paths of the workspace folders; Claude Code's user file has servers for single folders
 */
export function readAgentFile(
  { row, folder, plugin }: Pick<AgentPlace, 'row' | 'folder' | 'plugin'>,
  text: string,
  folders: readonly string[],
): McpConfig {
  const definitions = new Map<string, AgentEntry>();
  const { value, problem: first } = parseAgentFile(row, text);
  const problems = first ? [first] : [];
  const report = (message: string) => problems.push({ severity: 'warning', message, offset: 0, length: 1, line: 1 });
  if (value !== undefined && !isObject(value)) report(l10n.t('It must hold an object with "{0}".', row.key));
  const ofFolders = folder === undefined ? folders.map((each) => row.keyOfFolder?.(each) ?? []) : [];
  for (const keys of [...ofFolders.filter(({ length }) => length > 0), [row.key]]) {
    const servers = keys.reduce<unknown>((at, key) => asObject(at)?.[key], value);
    if (servers === undefined) continue;
    if (!isObject(servers)) {
      report(l10n.t('"{0}" must be an object of names and servers.', keys.at(-1) ?? ''));
      continue;
    }
    const entries = Object.entries(servers);
    if (entries.length > MAX_SERVERS) report(tooManyServers());
    for (const [name, entry] of entries.slice(0, MAX_SERVERS)) {
      const problem = problemOfEntry(name, entry);
      if (problem !== undefined) report(problem);
      else if (isObject(entry) && !definitions.has(name) && isWanted(name, entry))
        definitions.set(name, inOurWords(plugin ? ofPlugin(entry, plugin) : entry));
    }
  }
  return { definitions, inputs: [], problems };
}

function problemOfEntry(name: string, entry: unknown): string | undefined {
  if (isLongName(name)) return longName();
  return !isObject(entry) || isTooDeep(entry)
    ? l10n.t('The server "{0}" must be an object with "command" or "url". It is left out.', name)
    : undefined;
}

/** Whether an entry is switched on and isn't our own endpoint, through which the search would find itself. */
function isWanted(name: string, entry: AgentEntry): boolean {
  if (entry.enabled === false || entry.disabled === true) return false;
  return !(name === ENDPOINT_ENTRY && isEndpointUrl(entry.url ?? entry.serverUrl));
}

/** Converts an agent's entry to the form of an `mcp.json`. Unknown keys stay and have no effect. */
function inOurWords(entry: AgentEntry): AgentEntry {
  const { type, url, serverUrl, headers, http_headers, env_http_headers, bearer_token_env_var, ...rest } = entry;
  const address = url ?? serverUrl;
  const variable = (name: unknown) => `\${env:${typeof name === 'string' ? name : jsonText(name)}}`;
  const fromEnv = Object.entries(asObject(env_http_headers) ?? {}).map(([name, from]) => [name, variable(from)]);
  const sent = {
    ...asObject(headers),
    ...asObject(http_headers),
    ...Object.fromEntries(fromEnv),
    ...(typeof bearer_token_env_var === 'string' ? { Authorization: `Bearer ${variable(bearer_token_env_var)}` } : {}),
  };
  const seconds = rest.tool_timeout_sec;
  const ours = {
    ...rest,
    ...(type === undefined ? {} : { type: TYPES.get(type) ?? type }),
    ...(address === undefined ? {} : { url: address }),
    ...(Object.keys(sent).length > 0 ? { headers: sent } : {}),
    ...(typeof seconds === 'number' ? { timeoutSeconds: seconds } : {}),
  };
  return mapTexts(ours, inOurVariables) as AgentEntry;
}

/** Returns a plugin's entry with the plugin's folders, which its servers also get as environment variables. */
function ofPlugin(entry: AgentEntry, { root, data }: Plugin): AgentEntry {
  const folders = { PLUGIN_ROOT: root, CLAUDE_PLUGIN_ROOT: root, PLUGIN_DATA: data };
  const named = new Map(Object.entries(folders));
  const filled = (text: string) => text.replace(/\$\{(\w+)\}/g, (variable, name) => named.get(name) ?? variable);
  const own = mapTexts(entry, filled) as AgentEntry;
  return own.command === undefined ? own : { cwd: root, ...own, env: { ...folders, ...asObject(own.env) } };
}

/** The transports' names in other agents' files, and the corresponding names in `mcp.json`. */
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['local', 'stdio'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['streamable_http', 'http'],
]);

/** Matches `${NAME}` and `${NAME:-default}`, which Claude Code and Copilot use for environment variables. */
const SHELL_VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)(?::-([^{}]*))?\}/g;

function inOurVariables(text: string): string {
  return text.replace(SHELL_VARIABLE, (_, name: string, fallback: string | undefined) =>
    fallback !== undefined && process.env[name] === undefined ? fallback : `\${env:${name}}`,
  );
}

/** Returns a JSON value with each text in it changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]))
    : value;
}

/** The parsed content of a file, as far as it can be read, and the first problem in it. */
interface ParsedFile {
  readonly value?: unknown;
  readonly problem?: McpConfig['problems'][number];
}

export function parseAgentFile({ format }: Pick<AgentFile, 'format'>, text: string): ParsedFile {
  const body = text.replace(/^\uFEFF/, '');
  return format === 'toml' ? readToml(body) : readJson(body);
}

/** Some of these files have megabytes of other content, so the fast parser is tried first. */
function readJson(text: string): ParsedFile {
  if (text.trim() === '') return { value: {} };
  const json = parseJson(text);
  if (json !== undefined) return { value: json };
  try {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (!first) return { value };
    const line = text.slice(0, first.offset).split('\n').length;
    const message = l10n.t('This isn’t valid JSON. What can be made out is used.');
    return { value, problem: { severity: 'error', message, offset: first.offset, length: first.length, line } };
  } catch (error) {
    return { problem: tooDeepToRead(error) };
  }
}

function readToml(text: string): ParsedFile {
  try {
    return { value: parseToml(text) };
  } catch (error) {
    // The library's message isn't used, since it quotes the lines around the error, which may contain a secret.
    const line = error instanceof TomlError ? error.line : 1;
    const message = l10n.t('This isn’t valid TOML, so none of its servers is used.');
    return { problem: { severity: 'error', message, offset: 0, length: 1, line } };
  }
}
