import { describe, expect, it } from 'vitest';
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

it('configuredServers takes those of mcp.json, without their secrets', () => {
  const servers = configuredServers([
    file('app', { db: { command: 'run', env: { TOKEN: 's3cret' }, alwaysLoad: true } }),
    file(undefined, { mine: { url: 'https://u:p@h' }, db: { command: 'run' } }),
    ofAgent('.mcp.json', { other: { command: 'run' } }),
  ]);
  expect(servers).toEqual([
    { name: 'mine', alwaysLoad: false, source: 'file:///user/mcp.json' },
    { name: 'db', alwaysLoad: true, source: 'file:///app/mcp.json' },
  ]);
});

/** The servers of a window over the folder `app`. */
const inApp = (...files: McpFile[]) => definedServers(files, '/app');

describe('definedServers', () => {
  it('takes those of every folder, and of one name all', () => {
    const servers = inApp(
      file('app', { db: { command: 'a' } }),
      file('lib', { db: { command: 'b' }, x: { command: 'c' } }, [{ id: 'k' }]),
    );
    expect(servers.map(({ name, folder, value, inputs }) => [name, folder, value.command, inputs.length])).toEqual([
      ['db', '/app', 'a', 0],
      ['db (lib)', '/lib', 'b', 1],
      ['x', '/lib', 'c', 1],
    ]);
  });

  it('takes the user’s last, in the first folder, without the workspace’s', () => {
    const servers = inApp(
      file(undefined, { db: { command: 'u' }, mine: { command: 'm' } }),
      file('app', { db: { command: 'a' } }),
    );
    expect(servers.map(({ name, folder, value }) => [name, folder, value.command])).toEqual([
      ['db', '/app', 'a'],
      ['mine', '/app', 'm'],
    ]);
  });

  it('takes a server of several files from the nearest', () => {
    const servers = inApp(
      file('app', { db: { command: 'a' } }),
      file(undefined, { db: { command: 'u' }, mine: { command: 'm', args: ['x'] } }),
      ofAgent('.mcp.json', { db: { command: 'b' }, web: { url: 'https://w' } }, 'app'),
      ofAgent('~/.codex/config.toml', { web: { url: 'https://w' }, mine: { command: 'm', args: ['y'] } }),
    );
    expect(servers.map(({ name, label, differsIn, asksFirst }) => [name, label, differsIn, asksFirst])).toEqual([
      ['db', 'app/mcp.json', ['.mcp.json', 'user/mcp.json'], false],
      ['web', '.mcp.json', [], true],
      ['mine', 'user/mcp.json', ['~/.codex/config.toml'], false],
    ]);
  });

  it('takes an agent’s entry that runs the same once', () => {
    const run = { command: 'npx', args: ['-y', 'files'], env: { A: '1' } };
    const servers = inApp(
      file('app', { files: run }),
      ofAgent('a', { Files: { type: 'stdio', ...run }, other: { ...run, env: { A: '2' } } }),
      ofAgent('b', { again: run, twice: { url: 'https://w' }, thrice: { url: 'https://w' } }),
    );
    expect(servers.map(({ name }) => name)).toEqual(['files', 'other', 'twice', 'thrice']);
  });

  it('takes one server of two folders’ .mcp.json from each', () => {
    const run = { db: { command: 'a' } };
    const servers = inApp(ofAgent('1', run, 'app'), ofAgent('2', run, 'lib'));
    expect(servers.map(({ name, folder }) => [name, folder])).toEqual([
      ['db', '/app'],
      ['db (lib)', '/lib'],
    ]);
  });
});
