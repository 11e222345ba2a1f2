import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import { useInAgents } from '../../../../src/tools/vscode/useInAgents';
import { makeFolder } from '../../folder';
import { host, resetHost } from '../../shim/host';

const HERE = { url: 'http://127.0.0.1:1/mcp', authorization: 'Bearer here' };
const before = process.env.CLAUDE_CONFIG_DIR;

let home: string;
/** The windows whose endpoints listen. */
let windows: Server[];
let claude: string;
/** The rows of the list of agents, as last shown. */
let rows: readonly string[];

beforeEach(() => {
  resetHost();
  windows = [];
  home = makeFolder();
  process.env.CLAUDE_CONFIG_DIR = home;
  claude = path.join(home, '.claude.json');
  writeFileSync(claude, '{"mcpServers":{}}', { mode: 0o600 });
});
afterEach(() => {
  for (const window of windows) window.close();
  if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
  else process.env.CLAUDE_CONFIG_DIR = before;
});

const read = () => readFileSync(claude, 'utf8');
const writeEntry = (url: string, authorization: string) =>
  writeFileSync(
    claude,
    JSON.stringify({ mcpServers: { 'tool-search': { type: 'http', url, headers: { Authorization: authorization } } } }),
  );
/** Chooses a row, and confirms all that follows. */
async function choose(label: string | undefined, address = HERE, servers: readonly DefinedServer[] = []) {
  host.choose = (items) => {
    const isList = items.some((item) => item.label === 'Claude Code');
    const ofClaude = items.filter((item) => item.label.endsWith('Claude Code'));
    if (isList) rows = ofClaude.map((item) => `${item.label}: ${item.detail ?? ''}`);
    return isList ? items.find((item) => item.label === label) : items[0];
  };
  await useInAgents({ address: () => address, endpoint: async () => address, servers: () => servers });
}
/** Opens an endpoint of another window, which refuses requests without its token. */
async function anotherWindow(status = 401): Promise<string> {
  const window = createServer((_, response) => response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end());
  windows.push(window);
  await new Promise<void>((resolve) => window.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(window.address() as AddressInfo).port}/mcp`;
}

describe('useInAgents', () => {
  it.each([
    ['another window', 401, /Uses another window\. Choose this agent to use this window\./],
    ['another program', 307, /Uses an old address/],
  ])('moves an agent from %s to this one', async (_, status, row) => {
    writeEntry(await anotherWindow(status), 'Bearer other');
    await choose('Claude Code');
    expect(rows[0]).toMatch(row);
    expect(JSON.parse(read()).mcpServers['tool-search']).toMatchObject({
      url: HERE.url,
      headers: { Authorization: 'Bearer here' },
    });
  });

  it('lets only the user read a file with a token', async () => {
    chmodSync(claude, 0o644);
    await choose('Claude Code');
    expect(statSync(claude).mode & 0o777).toBe(0o600);
  });

  it('follows a link', async () => {
    const target = path.join(home, 'target');
    rmSync(claude);
    symlinkSync(target, claude);
    writeFileSync(target, '{}');
    await choose('Claude Code');
    expect(readFileSync(target, 'utf8')).toContain('Bearer here');
    expect(lstatSync(claude).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['that isn’t UTF-8', 'isn’t UTF-8 text', () => writeFileSync(claude, Buffer.from([0x7b, 0xff, 0x7d]))],
    ['that is read-only', '.claude.json is read-only, so it isn’t changed.', () => chmodSync(claude, 0o444)],
    ['with a link for a temporary file', 'EEXIST', () => symlinkSync(`${home}/target`, `${claude}.${process.pid}.tmp`)],
  ])('leaves a file %s as it is', async (_, why, change) => {
    change();
    const bytes = readFileSync(claude);
    await expect(choose('Claude Code')).rejects.toThrow(why);
    expect(readFileSync(claude)).toEqual(bytes);
    expect(existsSync(`${home}/target`)).toBe(false);
  });

  it('writes nothing if the agent writes during the question', async () => {
    host.choose = (items) => {
      if (items.some(({ label }) => label === 'Claude Code')) return items.find(({ label }) => label === 'Claude Code');
      writeFileSync(claude, '{"mcpServers":{},"starts":2}');
      return items[0];
    };
    const deps = { address: () => HERE, endpoint: async () => HERE, servers: () => [] };
    await expect(useInAgents(deps)).rejects.toThrow('changed meanwhile, so nothing was written');
    expect(read()).toBe('{"mcpServers":{},"starts":2}');
    await choose(undefined);
    expect(rows).toEqual(['Claude Code: ']);
  });

  it('writes no token into a repository that a link leads to', async () => {
    rmSync(claude);
    const dotfiles = path.join(home, 'dotfiles');
    mkdirSync(path.join(dotfiles, '.git'), { recursive: true });
    mkdirSync(path.join(dotfiles, 'new'));
    symlinkSync(path.join(dotfiles, 'new'), path.join(home, 'linked'));
    process.env.CLAUDE_CONFIG_DIR = path.join(home, 'linked');
    await expect(choose('Claude Code')).rejects.toThrow('is in the Git repository');
    expect(existsSync(path.join(dotfiles, 'new', '.claude.json'))).toBe(false);
  });
});
