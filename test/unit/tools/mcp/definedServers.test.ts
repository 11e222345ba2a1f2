import { describe, expect, it } from 'vitest';
import { definedServers, type McpFile } from '../../../../src/tools/mcp/definedServers';
import { parseMcpConfig } from '../../../../src/tools/mcp/mcpServers';

const file = (name: string | undefined, servers: object, inputs: readonly unknown[] = []): McpFile => ({
  file: `file:///${name ?? 'user'}/mcp.json`,
  config: parseMcpConfig(`// ${name}\n${JSON.stringify({ servers, inputs })}`, ''),
  ...(name ? { folder: { name, path: `/${name}` } } : {}),
});

describe('definedServers', () => {
  it('takes those of every folder, and of one name all', () => {
    const servers = definedServers(
      [
        file('app', { db: { command: 'a' } }),
        file('lib', { db: { command: 'b' }, x: { command: 'c' } }, [{ id: 'k' }]),
      ],
      '/app',
    );
    expect(servers.map(({ name, folder, value, inputs }) => [name, folder, value.command, inputs.length])).toEqual([
      ['db', '/app', 'a', 0],
      ['db (lib)', '/lib', 'b', 1],
      ['x', '/lib', 'c', 1],
    ]);
  });

  it('takes the user’s last, in the first folder, without the workspace’s', () => {
    const servers = definedServers(
      [file(undefined, { db: { command: 'u' }, mine: { command: 'm' } }), file('app', { db: { command: 'a' } })],
      '/app',
    );
    expect(servers.map(({ name, folder, value }) => [name, folder, value.command])).toEqual([
      ['db', '/app', 'a'],
      ['mine', '/app', 'm'],
    ]);
  });
});
