import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { Uri } from 'vscode';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import { createInputStore, createMcpDeps } from '../../../../src/tools/vscode/mcpClientSetup';
import { VscodeMcpConfig } from '../../../../src/tools/vscode/mcpConfig';
import { makeFolder } from '../../folder';
import { Memento } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';

let folder: string;
beforeEach(() => {
  resetHost();
  folder = makeFolder();
});

it('a first start shows the variables of the server’s file', async () => {
  writeFileSync(path.join(folder, '.env'), 'export NODE_OPTIONS="-r ./x.js" # quick\n');
  const details: string[] = [];
  host.press = (_message, [start], detail) => {
    details.push(detail);
    return start;
  };
  const secrets = new KnownSecrets();
  const { user } = createMcpDeps({
    answers: { inputs: createInputStore(host.secrets, () => {}), starts: new Memento() },
    secrets,
  } as unknown as Parameters<typeof createMcpDeps>[0]);
  const server: DefinedServer = {
    ...{ name: 'db', value: { command: 'a', envFile: '.env' }, inputs: [], file: 'file:///a', label: '.mcp.json' },
    ...{ asksFirst: true, folder },
  };
  expect(await user.allow(server, new AbortController().signal)).toBe(true);
  expect(await user.allow({ ...server, asksFirst: false }, new AbortController().signal)).toBe(true);
  expect(details).toEqual(['db (.mcp.json)\na\nwith the variables in .env\nNODE_OPTIONS=-r ./x.js']);
});

/** Opens a workspace of one folder, whose `mcp.json` defines one server. */
function open(server: string, command = 'node', name = server) {
  const folder = Uri.file(`/work/${name}`);
  const servers = { [server]: { command } };
  const bytes = new TextEncoder().encode(JSON.stringify({ servers }));
  host.files.set(Uri.joinPath(folder, '.vscode', 'mcp.json').toString(), bytes);
  host.folders = [{ name, index: 0, uri: folder }];
}

it('servers are those of the newest folders, however long a reading takes', async () => {
  // Other agents' files, which take longer, are read the first time only.
  const agents = [['claudeCode'], undefined];
  const config = new VscodeMcpConfig(Uri.file('/storage/tool-search'), () => agents.shift());
  open('old');
  const first = config.load();
  open('new');
  await Promise.all([first, config.load()]);
  expect(config.servers.map(({ name }) => name)).toEqual(['new']);
  config.dispose();
});

it('servers of another agent are read in each folder', async () => {
  open('ours');
  const theirs = new TextEncoder().encode(JSON.stringify({ mcpServers: { theirs: { command: 'deno' } } }));
  host.files.set(Uri.file('/work/ours/.mcp.json').toString(), theirs);
  const config = new VscodeMcpConfig(Uri.file('/storage/tool-search'), () => ['claudeCode']);
  await config.load();
  const read = config.definitions.map(({ name, label }) => `${name} of ${label}`);
  expect(read).toEqual(['ours of mcp.json', 'theirs of .mcp.json']);
  config.dispose();
});

it('servers follow a change of their entries, and only that', async () => {
  const config = new VscodeMcpConfig(Uri.file('/storage/tool-search'), () => undefined);
  open('one');
  await config.load();
  const seen: unknown[] = [];
  config.onDidChange(() => seen.push(config.definitions.map(({ value }) => value.command)));
  for (const command of ['node', 'deno', 'bun']) {
    open('one', command);
    host.filesChanged.fire();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen).toEqual([['deno'], ['bun']]);
  // VS Code tells nothing.
  open('one', 'uv');
  for (let question = 0; question < 2; question++) await config.reread();
  expect(seen.slice(2)).toEqual([['uv']]);
  config.dispose();
});

it('a name that two folders give a server is a problem', async () => {
  const config = new VscodeMcpConfig(Uri.file('/storage/tool-search'), () => undefined);
  open('db', 'node', 'one');
  const one = host.folders ?? [];
  open('db', 'deno', 'two');
  host.folders = [...one, ...(host.folders ?? [])];
  await config.load();
  expect(config.nameProblems).toMatchObject([
    { severity: 'warning', message: expect.stringMatching(/^The folders one, two each have a server “db”/) },
  ]);
  config.dispose();
});
