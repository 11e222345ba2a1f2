import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import { useInAgents } from '../../../../src/tools/vscode/useInAgents';
import { makeFolder } from '../../folder';
import { host, resetHost } from '../../shim/host';
import { serveInTest } from '../mcp/serve';

const HERE = { url: 'http://127.0.0.1:1/mcp', authorization: 'Bearer here' };
const OTHER = { ...HERE, authorization: 'Bearer other' };
const CLAUDE = '.claude.json';
const WRITE = ['Claude Code', 'Write the Change'];
const SERVER: DefinedServer = { name: 'own', value: { command: 'db' }, inputs: [], file: 'file:///a' };

interface Case {
  /** The text of Claude's file before. */
  readonly text?: string | Buffer;
  /** The address in Claude's file. */
  readonly uses?: typeof HERE;
  /** What else is done in the user's home, from which paths begin. */
  readonly prepare?: (home: string) => unknown;
  /** What the user chooses, one after another. */
  readonly chooses?: readonly string[];
  /** Claude's file as it is written while the user is asked. */
  readonly meanwhile?: string;
  /** The endpoint's address before; null if it is off. */
  readonly here?: typeof HERE | null;
  /** The endpoint's address when it is used; null if it stays off. */
  readonly gives?: typeof HERE | null | Error;
}

const linkClaude = (home: string, to: string) => {
  fs.mkdirSync(path.dirname(path.join(home, to)), { recursive: true });
  fs.writeFileSync(path.join(home, to), '{}');
  fs.symlinkSync(path.join(home, to), path.join(home, CLAUDE));
};
const withCodex = (home: string) => {
  const entry = `url = "${OLD.url}"\nhttp_headers = { Authorization = "${OLD.authorization}" }`;
  fs.mkdirSync(`${home}/.codex`);
  fs.writeFileSync(`${home}/.codex/config.toml`, `[mcp_servers.tool-search]\n${entry}\n`);
};
const SERVERS = '{"mcpServers":{"own":{"url":"https://a"},"same":{"command":"db"},"other":{"command":"x"}}}';
const OLD = { ...OTHER, url: 'http://127.0.0.1:2/mcp' };
const CASES: { readonly [title: string]: Case } = {
  'no agent is here': {},
  'nothing is chosen': { text: '', chooses: [] },
  'an entry is written, and undone': { text: '{"mcpServers":{}}', chooses: [...WRITE, 'Undo', 'Write the Change'] },
  'a file is made': { prepare: (home) => fs.mkdirSync(`${home}/.cursor`), chooses: ['Cursor', 'Write the Change'] },
  'the change is declined': { text: '{}', chooses: ['Claude Code', 'Leave the File as It Is'] },
  'the endpoint stays off': { text: '{}', gives: null },
  'it uses this window': { uses: HERE },
  'it uses an old token': { uses: OTHER },
  'it has the address already': { uses: OTHER, gives: OTHER },
  'it uses an old address': { uses: OLD, chooses: ['Remove Tool Search from Claude Code', 'Write the Change'] },
  'it uses another program': { uses: { ...OTHER, url: 'PROGRAM/mcp' }, chooses: [] },
  'it uses another window': { uses: { ...OTHER, url: 'WINDOW/mcp' } },
  'it has this entry already': { prepare: withCodex, gives: OLD, chooses: ['Codex', 'Undo', 'Write the Change'] },
  'the endpoint fails': { text: '{}', gives: new Error('No port is free.') },
  'the endpoint is off': {
    uses: HERE,
    here: null,
    chooses: ['Remove Tool Search from Claude Code', ...WRITE.slice(1)],
  },
  'the removal is declined': { uses: HERE, chooses: ['Claude Code', 'Leave the File as It Is'] },
  'the change can’t be shown': {
    text: '{}',
    prepare: () => vi.spyOn(vscode.commands, 'executeCommand').mockRejectedValueOnce(new Error('No window.')),
  },
  'the text isn’t valid': { text: '{"a"' },
  'both have servers': { text: SERVERS },
  'a link is followed': { prepare: (home) => linkClaude(home, 'target') },
  'a link leads into a repository': { prepare: (home) => linkClaude(home, 'dots/new/claude') },
  'the text isn’t UTF-8': { text: Buffer.from([0x7b, 0xff, 0x7d]) },
  'the file is read-only': { text: '{}', prepare: (home) => fs.chmodSync(`${home}/${CLAUDE}`, 0o444) },
  'the file is a folder': { prepare: (home) => fs.mkdirSync(`${home}/${CLAUDE}`) },
  'a temporary file is a link': {
    text: '{}',
    prepare: (home) => fs.symlinkSync(`${home}/target`, `${home}/${CLAUDE}.${process.pid}.tmp`),
  },
  'the agent writes meanwhile': { text: '{}', meanwhile: '{"starts":2}' },
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Returns all that the user sees, and the files afterwards. */
async function use({
  text,
  uses,
  prepare,
  chooses = WRITE,
  meanwhile,
  here = HERE,
  gives = HERE,
}: Case): Promise<readonly string[]> {
  resetHost();
  const home = makeFolder();
  const claude = path.join(home, CLAUDE);
  const program = await serveInTest((_, response) => response.writeHead(307, { Location: '/' }).end());
  const window = await serveInTest((_, response) => response.writeHead(401).end());
  vi.spyOn(os, 'homedir').mockReturnValue(home);
  syncBuiltinESMExports();
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, '');
  const url = uses?.url.replace('PROGRAM', program).replace('WINDOW', window);
  const entry = { type: 'http', url, headers: { Authorization: uses?.authorization } };
  const before = uses ? JSON.stringify({ mcpServers: { 'tool-search': entry } }) : text;
  if (before !== undefined) fs.writeFileSync(claude, before, { mode: 0o644 });
  prepare?.(home);
  if (fs.existsSync(`${home}/dots`)) fs.mkdirSync(`${home}/dots/.git`);
  const told: string[] = [];
  host.told = told;
  const left = [...chooses];
  host.choose = (items, isConsent) => {
    const [, first, second, title] = host.commands.at(-1) ?? [];
    const textOf = host.documents.get('toolsearch-agent-file')?.provideTextDocumentContent;
    if (isConsent)
      told.push(` ${title}`, ...[first, second].map((uri) => ` ${textOf?.(uri as vscode.Uri, {} as never)}`));
    if (isConsent && meanwhile) fs.writeFileSync(claude, meanwhile);
    const next = left.shift();
    return items.find(({ label }) => label === next);
  };
  host.press = () => left.shift();
  const deps = {
    address: () => here ?? undefined,
    endpoint: () => (gives instanceof Error ? Promise.reject(gives) : Promise.resolve(gives ?? undefined)),
    servers: () => [SERVER, { ...SERVER, name: 'other', value: {}, file: `file://${claude}` }],
  };
  await useInAgents(deps).catch((error: Error) => told.push(` fails: ${error.message}`));
  expect(host.documents.size).toBe(0);
  for (const file of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()) {
    const at = path.join(home, file);
    const isFile = fs.existsSync(at) && fs.statSync(at).isFile();
    told.push(` ${file} ${fs.lstatSync(at).mode.toString(8)} ${isFile ? fs.readFileSync(at, 'latin1') : ''}`.trimEnd());
  }
  const names = { [home]: 'HOME', [program]: 'PROGRAM', [window]: 'WINDOW', [`${process.pid}.tmp`]: 'PID.tmp' };
  return told.map((line) => Object.entries(names).reduce((all, [from, to]) => all.replaceAll(from, to), line));
}

it('Tool Search is used in other agents as the file says', async () => {
  const told: string[] = [];
  for (const [title, each] of Object.entries(CASES)) told.push(title, ...(await use(each)));
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('useInAgents.txt');
});
