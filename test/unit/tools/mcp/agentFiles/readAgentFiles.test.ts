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
const entries = (...given: Parameters<typeof read>) => Object.fromEntries(read(...given).definitions);

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

describe('readAgentFile', () => {
  it('reads Codex’s tables, with headers from variables', () => {
    const text = `model = "gpt"
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
    expect(entries('codex', text)).toEqual({
      files: {
        ...{ command: 'npx', args: ['-y', 'files'], env: { TOKEN: 't' } },
        ...{ tool_timeout_sec: 90, timeoutSeconds: 90 },
      },
      web: { url: 'https://w/mcp', headers: { 'X-Team': 'a', Authorization: 'Bearer ${env:WEB_TOKEN}' } },
    });
  });

  it('reads each form of a server', () => {
    const forms = {
      off: { command: 'x', enabled: false },
      disabled: { command: 'x', disabled: true },
      on: { url: 'u', enabled: true },
      sent: {
        url: 'u',
        headers: { A: '1', B: '2' },
        http_headers: { B: '3' },
        env_http_headers: { C: 'NAME' },
        type: 'streamable_http',
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
    expect(entries('cursor', JSON.stringify({ mcpServers: forms }))).toEqual({
      on: { url: 'u', enabled: true },
      sent: { type: 'http', url: 'u', headers: { A: '1', B: '3', C: '${env:NAME}' } },
      ...{ one: { type: 'http', url: 's' }, two: { type: 'sse', url: 'u', tool_timeout_sec: '9' } },
      nested: { type: 'stdio', command: '${env:A_1}', env: { X: ['${workspaceFolder}', '', { y: '${env:HOME}' }] } },
      ...{ 'tool-search': { url: 'http://localhost:1/mcp/' }, own: { url: 'http://127.0.0.1:1/mcp' } },
    });
  });

  it('reads Claude Code’s servers of the folder before the user’s', () => {
    const text = JSON.stringify({
      mcpServers: { db: { command: 'user' }, all: { command: 'x' } },
      projects: {
        '/w': { mcpServers: { db: { command: 'local' } } },
        '/other': { mcpServers: { no: { command: 'x' } } },
      },
    });
    expect(entries('claudeCode', text, ['/w'])).toEqual({ db: { command: 'local' }, all: { command: 'x' } });
    const inFolder = readAgentFile({ row: row('claudeCode'), folder: '/w' }, text, ['/w']);
    expect(Object.fromEntries(inFolder.definitions).db).toEqual({ command: 'user' });
  });

  it.each([
    ['cursor', '{"mcpServers": {"a": {"command": "x"}}}'],
    ['codex', '[mcp_servers.a]\r\ncommand = "x"\r\n'],
  ])('reads %s’s file from Windows without a problem', (agent, text) => {
    const { definitions, problems } = read(agent, `\uFEFF${text}`);
    expect([...definitions, problems]).toEqual([['a', { command: 'x' }], []]);
  });

  it('leaves out our own endpoint, which would search itself', () => {
    for (const { agent, entry } of AGENT_FILES) {
      const own = entry?.('http://127.0.0.1:4321/mcp', 'Bearer t');
      if (!own || agent === 'codex') continue;
      expect(entries(agent, JSON.stringify({ mcpServers: { 'tool-search': own } }))).toEqual({});
    }
    const text = '[mcp_servers.tool-search]\nurl = "http://127.0.0.1:4321/mcp"\n';
    expect(entries('codex', text)).toEqual({});
  });

  it('says in one sentence what is wrong', () => {
    const broken = read('cursor', '{\n "mcpServers": {"a": {"command": "x"}\n "b": {"command": "secret-1"}}}');
    expect([...broken.definitions.keys()]).toContain('a');
    const message = 'This isn’t valid JSON. What can be made out is used.';
    expect(broken.problems).toEqual([{ severity: 'error', message, offset: 41, length: 3, line: 3 }]);
    const toml = read('codex', '[mcp_servers.a]\ncommand = "secret-1\n');
    const noToml = 'This isn’t valid TOML, so none of its servers is used.';
    expect(toml).toMatchObject({ problems: [{ severity: 'error', message: noToml, offset: 0, length: 1, line: 2 }] });
    expect(JSON.stringify([...broken.problems, ...toml.problems])).not.toContain('secret-1');
    const warningsOf = (text: string) =>
      read('cursor', text).problems.map(({ severity, message }) => [severity, message]);
    expect(warningsOf('{"mcpServers": {"a": 3, "b": {"command": "x"}}}')).toEqual([
      ['warning', 'The server "a" must be an object with "command" or "url". It is left out.'],
    ]);
    expect(warningsOf('{"mcpServers": []}')).toEqual([
      ['warning', '"mcpServers" must be an object of names and servers.'],
    ]);
    expect(warningsOf('[]')).toEqual([['warning', 'It must hold an object with "mcpServers".']]);
    expect(warningsOf(' ')).toEqual([]);
    const deep = `{"mcpServers": {"a": {"args": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
    expect(read('cursor', deep)).toMatchObject({ problems: [{ line: 1 }] });
  });

  it('reads names, types and variables that are odd', () => {
    const odd = { toString: 1 };
    const servers = {
      a: { url: 'u', type: odd, env_http_headers: { X: odd } },
      b: { type: 'constructor', command: 'x' },
    };
    const { definitions, problems } = read(
      'cursor',
      JSON.stringify({ mcpServers: { ...servers, ['c'.repeat(201)]: {} } }),
    );
    expect(Object.fromEntries(definitions)).toEqual({
      a: { url: 'u', type: odd, headers: { X: '${env:{"toString":1}}' } },
      b: { type: 'constructor', command: 'x' },
    });
    expect(problems).toMatchObject([{ message: 'A server whose name has more than 200 characters is left out.' }]);
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`s${at}`, { command: 'x' }]));
    const read501 = read('cursor', JSON.stringify({ mcpServers: many }));
    expect([read501.definitions.size, read501.problems]).toMatchObject([
      500,
      [{ message: 'Only the first 500 servers of this file are used.' }],
    ]);
  });

  it('never throws', () => {
    holds(
      fc.property(fc.constantFrom('cursor', 'codex', 'claudeCode'), fc.string(), fc.json(), (agent, text, json) => {
        read(agent, text);
        read(agent, `{"mcpServers": ${json}}`, ['/w']);
      }),
    );
  });
});
