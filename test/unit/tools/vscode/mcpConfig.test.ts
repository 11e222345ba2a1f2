import { expect, it } from 'vitest';
import { Uri } from 'vscode';
import { VscodeMcpConfig } from '../../../../src/tools/vscode/mcpConfig';
import { host } from '../../shim/host';

/** Opens a workspace of one folder, whose `mcp.json` defines one server. */
function open(server: string) {
  const folder = Uri.file(`/work/${server}`);
  const servers = { [server]: { command: 'node' } };
  const bytes = new TextEncoder().encode(JSON.stringify({ servers }));
  host.files.set(Uri.joinPath(folder, '.vscode', 'mcp.json').toString(), bytes);
  host.folders = [{ name: server, index: 0, uri: folder }];
}

it('servers are those of the newest folders, however long a reading takes', async () => {
  // Other agents' files, which take longer, are read the first time only.
  const agents = [['claude-code'], undefined];
  const config = new VscodeMcpConfig(Uri.file('/storage/tool-search'), () => agents.shift());
  open('old');
  const first = config.load();
  open('new');
  await Promise.all([first, config.load()]);
  expect(config.servers.map(({ name }) => name)).toEqual(['new']);
  config.dispose();
});
