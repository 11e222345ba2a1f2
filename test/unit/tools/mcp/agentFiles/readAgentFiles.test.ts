import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_FILES, type Machine } from '../../../../../src/tools/mcp/agentFiles/agentFileTable';
import { agentPlaces, pluginPlaces, readAgentFile } from '../../../../../src/tools/mcp/agentFiles/readAgentFiles';
import { makeFolder } from '../../../folder';
import { holds } from '../../../property';

const row = (agent: string) => {
  const found = AGENT_FILES.find((each) => each.agent === agent);
  if (!found) throw new Error(`There is no row for ${agent}.`);
  return found;
};
const read = (agent: string, text: string, folders: readonly string[] = []) =>
  readAgentFile({ row: row(agent) }, text, folders);

describe('agentPlaces', () => {
  const linux: Machine = { home: '/home/ada', platform: 'linux', env: {} };
  const paths = (agents: readonly string[], on: Machine, folders: readonly string[] = []) =>
    agentPlaces(agents, folders, on).map(({ folder, path }) => (folder ? `${folder}: ${path}` : path));

  it('has Copilot’s files always, others if they are turned on', () => {
    expect(paths([], linux, ['/w'])).toEqual(['/w: .mcp.json', '/home/ada/.copilot/mcp-config.json']);
    expect(paths(['cursor', 'codex'], linux, ['/w'])).toEqual([
      '/w: .mcp.json',
      '/w: .codex/config.toml',
      '/w: .cursor/mcp.json',
      '/home/ada/.copilot/mcp-config.json',
      '/home/ada/.codex/config.toml',
      '/home/ada/.cursor/mcp.json',
    ]);
  });

  it('has a table of files with place, form and our entry', async () => {
    const env = {
      COPILOT_HOME: '/a',
      CODEX_HOME: '/b',
      CLAUDE_CONFIG_DIR: '/c',
      APPDATA: 'D:\\Roaming',
      XDG_CONFIG_HOME: '/x',
    };
    const machines: readonly Machine[] = (['linux', 'darwin', 'win32'] as const).flatMap((platform) => {
      const home = platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada';
      const empty = Object.fromEntries(Object.keys(env).map((name) => [name, '']));
      return [{}, env, empty].map((each) => ({ home, platform, env: each }));
    });
    const table = AGENT_FILES.map(({ place, entry, keyOfFolder, ...row }) => ({
      ...row,
      places: machines.map(place),
      ofFolder: keyOfFolder?.('/w'),
      entry: entry?.('http://127.0.0.1:1/mcp', 'Bearer t'),
    }));
    await expect(`${JSON.stringify(table, undefined, 2)}\n`).toMatchFileSnapshot('agentFiles.txt');
  });
});

describe('the servers of installed plugins', () => {
  let home: string;
  beforeEach(() => {
    home = makeFolder();
  });

  const install = async (plugin: string, file: string, servers: object) => {
    const root = path.join(home, '.copilot/installed-plugins', plugin);
    await mkdir(root, { recursive: true });
    await writeFile(path.join(root, file), JSON.stringify({ mcpServers: servers }));
    return root;
  };
  const places = () => pluginPlaces({ home, platform: 'linux', env: {} }, path.join(home, 'data'));

  it('are in mcp.json, or in .mcp.json of the older formats', async () => {
    await install('market/one', 'mcp.json', {});
    await install('market/one', '.mcp.json', {});
    await install('_direct/two', '.mcp.json', {});
    await install('market/three', 'plugin.json', {});
    const found = (await places()).map((place) =>
      path.relative(path.join(home, '.copilot/installed-plugins'), place.path),
    );
    expect(found.sort()).toEqual(['_direct/two/.mcp.json', 'market/one/mcp.json']);
  });

  it('are none without plugins, and of 200 at most', async () => {
    expect(await places()).toEqual([]);
    await Promise.all(Array.from({ length: 201 }, (_, at) => install(`market/p${at}`, 'mcp.json', {})));
    expect(await places()).toHaveLength(200);
  });

  it('know the folders of their plugin', async () => {
    const entry = {
      type: 'stdio',
      command: '${PLUGIN_ROOT}/bin',
      args: ['${PLUGIN_DATA}/db', '${TOKEN}'],
      env: { A: '1' },
    };
    const root = await install('market/one', 'mcp.json', {
      db: entry,
      web: { type: 'streamable-http', url: 'https://example.com' },
      own: { command: 'x', cwd: 'sub' },
    });
    const [place] = await places();
    const data = path.join(home, 'data/market/one');
    const { definitions } = readAgentFile(place as never, await readFile(place?.path ?? '', 'utf8'), []);
    expect(definitions.get('db')).toEqual({
      type: 'stdio',
      command: `${root}/bin`,
      args: [`${data}/db`, '${env:TOKEN}'],
      env: { A: '1', PLUGIN_ROOT: root, CLAUDE_PLUGIN_ROOT: root, PLUGIN_DATA: data },
      cwd: root,
    });
    expect(definitions.get('web')).toEqual({ type: 'http', url: 'https://example.com' });
    expect(definitions.get('own')?.cwd).toBe('sub');
    expect((await stat(data)).isDirectory()).toBe(true);
  });
});

const CODEX = `model = "gpt"
[mcp_servers.files]
command = "npx"
args = ["-y", "files"]
tool_timeout_sec = 90
[mcp_servers.files.env]
TOKEN = "t"
[mcp_servers.web]
url = "https://w/mcp"
bearer_token_env_var = "WEB_TOKEN"
http_headers = { "X-Team" = "a" }
[mcp_servers.off]
command = "x"
enabled = false
`;
const FORMS = {
  off: { command: 'x', enabled: false },
  disabled: { command: 'x', disabled: true },
  on: { url: 'u', enabled: true },
  sent: {
    ...{ url: 'u', headers: { A: '1', B: '2' }, http_headers: { B: '3' } },
    ...{ env_http_headers: { C: 'NAME' }, type: 'streamable_http' },
  },
  one: { type: 'streamableHttp', serverUrl: 's' },
  two: { type: 'sse', url: 'u', serverUrl: 's', tool_timeout_sec: '9' },
  nested: {
    type: 'local',
    command: '${A_1}',
    env: { X: ['${workspaceFolder}', '${NOT_SET:-}', { y: '${HOME:-z}' }] },
  },
  ...{ 'tool-search': { url: 'http://localhost:1/mcp/' }, own: { url: 'http://127.0.0.1:1/mcp' } },
};
const odd = { toString: 1 };
const ODD = {
  a: { url: 'u', type: odd, env_http_headers: { X: odd } },
  b: { type: 'constructor', command: 'x' },
  ['c'.repeat(201)]: {},
};
const CLAUDE = {
  mcpServers: { db: { command: 'user' }, all: { command: 'x' } },
  projects: { '/w': { mcpServers: { db: { command: 'local' } } }, '/other': { mcpServers: { no: { command: 'x' } } } },
};
const json = (servers: object) => JSON.stringify({ mcpServers: servers });
const own = AGENT_FILES.flatMap(({ agent, entry }): (readonly [string, string])[] =>
  entry && agent !== 'codex' ? [[agent, json({ 'tool-search': entry('http://127.0.0.1:4321/mcp', 'Bearer t') })]] : [],
);
/** Texts of agents' files, as users write them. */
const TEXTS: readonly (readonly [agent: string, text: string])[] = [
  ['codex', CODEX],
  ['cursor', json(FORMS)],
  ['claudeCode', JSON.stringify(CLAUDE)],
  ['cursor', '\uFEFF{"mcpServers": {"a": {"command": "x"}}}'],
  ['codex', '\uFEFF[mcp_servers.a]\r\ncommand = "x"\r\n'],
  ...own,
  ['codex', '[mcp_servers.tool-search]\nurl = "http://127.0.0.1:4321/mcp"\n'],
  ['cursor', '{\n "mcpServers": {"a": {"command": "x"}\n "b": {"command": "secret-1"}}}'],
  ['codex', '[mcp_servers.a]\ncommand = "secret-1\n'],
  ...['{"mcpServers": {"a": 3, "b": {"command": "x"}}}', '{"mcpServers": []}', '[]', ' '].map(
    (text) => ['cursor', text] as const,
  ),
  ['cursor', `{"mcpServers": {"a": {"args": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`],
  ['cursor', json(ODD)],
  ['cursor', json(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`s${at}`, { command: 'x' }])))],
];

it('readAgentFile reads each text as its file says', async () => {
  const told = TEXTS.flatMap(([agent, text]) =>
    [undefined, '/w'].flatMap((folder) => {
      if (folder && agent !== 'claudeCode') return [];
      const { definitions, problems } = readAgentFile({ row: row(agent), ...(folder && { folder }) }, text, ['/w']);
      const all = [...definitions].map((each) => ` ${JSON.stringify(each)}`);
      const few = all.length > 20 ? [` ${all.length} servers`] : all;
      const title = `${agent} ${folder ?? ''} ${JSON.stringify(text.slice(0, 120)).replace('\uFEFF', '(mark)')}`;
      return [title, ...few, ...problems.map((each) => ` ${JSON.stringify(each)}`)];
    }),
  );
  await expect(`${told.join('\n')}\n`.replace(/\[{50,}|\]{50,}/g, '(deep)')).toMatchFileSnapshot('agentTexts.txt');
});

it('readAgentFile never throws', () => {
  holds([fc.constantFrom('cursor', 'codex', 'claudeCode'), fc.string(), fc.json()], (agent, text, json) => {
    read(agent, text);
    read(agent, `{"mcpServers": ${json}}`, ['/w']);
  });
});
