import { expect, it } from 'vitest';
import { configuredServers, definedServers, type McpFile } from '../../../../../src/tools/mcp/config/definedServers';
import { parseMcpConfig } from '../../../../../src/tools/mcp/config/parseMcpConfig';

const file = (name: string | undefined, servers: object, inputs: readonly unknown[] = []): McpFile => ({
  file: `file:///${name ?? 'user'}/mcp.json`,
  label: `${name ?? 'user'}/mcp.json`,
  config: parseMcpConfig(`// ${name}\n${JSON.stringify({ servers, inputs })}`),
  ...(name ? { folder: { name, path: `/${name}` } } : {}),
});

/** Another agent's file, in a folder or the user's own. */
const ofAgent = (label: string, servers: object, folder?: string): McpFile => ({
  file: `file:///${label}`,
  label,
  config: { definitions: new Map(Object.entries(servers)), inputs: [] },
  ...(folder ? { folder: { name: folder, path: `/${folder}` } } : {}),
  ofAgent: true,
});

const run = { command: 'npx', args: ['-y', 'files'], env: { A: '1' } };
const db = { command: 'a' };
/** The files of windows over the folder `app`. */
const WINDOWS: { readonly [what: string]: readonly McpFile[] } = {
  'secrets, and another agent': [
    file('app', { db: { command: 'run', env: { TOKEN: 's3cret' }, alwaysLoad: true } }),
    file(undefined, { mine: { url: 'https://u:p@h' }, db: { command: 'run' } }),
    ofAgent('.mcp.json', { other: { command: 'run' } }),
  ],
  'two folders, of one name': [file('app', { db }), file('lib', { db: { command: 'b' }, x: db }, [{ id: 'k' }])],
  'the user’s before the workspace’s': [file(undefined, { db: { command: 'u' }, mine: db }), file('app', { db })],
  'one server in several files': [
    file('app', { db }),
    file(undefined, { db: { command: 'u' }, mine: { command: 'm', args: ['x'] } }),
    ofAgent('.mcp.json', { db: { command: 'b' }, web: { url: 'https://w' } }, 'app'),
    ofAgent('~/.codex/config.toml', { web: { url: 'https://w' }, mine: { command: 'm', args: ['y'] } }),
  ],
  'an agent’s entry that runs the same': [
    file('app', { files: run }),
    ofAgent('a', { Files: { type: 'stdio', ...run }, other: { ...run, env: { A: '2' } } }),
    ofAgent('b', { again: run, twice: { url: 'https://w' }, thrice: { url: 'https://w' } }),
  ],
  'entries without a command': [ofAgent('a', { one: { args: ['x'] } }), ofAgent('b', { two: { args: ['y'] } })],
  'two folders’ .mcp.json': [ofAgent('1', { db }, 'app'), ofAgent('2', { db }, 'lib')],
};

it('a window’s servers are those that its file says', async () => {
  const told = Object.entries(WINDOWS).flatMap(([what, files]) => [
    what,
    ...definedServers(files, '/app').map((server) => ` defined ${JSON.stringify(server)}`),
    ...configuredServers(files).map((server) => ` in mcp.json ${JSON.stringify(server)}`),
  ]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('servers.txt');
});
