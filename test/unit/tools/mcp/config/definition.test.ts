import { expect, it } from 'vitest';
import {
  type DefinedServer,
  fingerprint,
  readLaunch,
  recipientOf,
  timeoutSecondsOf,
} from '../../../../../src/tools/mcp/config/definition';

const defined = (value: DefinedServer['value'], more: Partial<DefinedServer> = {}): DefinedServer => ({
  name: 'a',
  value,
  inputs: [],
  file: 'file:///mcp.json',
  ...more,
});
const STDIO = { args: ['-y', 'x'], env: { PORT: 80, DEBUG: true, HOME: null }, cwd: 'sub', envFile: '.env' };
const ENTRIES: readonly DefinedServer['value'][] = [
  ...[{ command: 'npx', ...STDIO }, { type: 'stdio', command: 'x', timeoutSeconds: 90 }, { command: './x' }, {}],
  ...[
    { command: 'x', cwd: '/a' },
    { command: 'x', args: ['a.mjs'] },
    { command: '/x', args: ['${workspaceFolder}'] },
  ],
  ...[
    { url: 'https://u:p@x.test/mcp?k=1', headers: { a: 'b', c: null } },
    { type: 'sse', url: 'http://x.test' },
  ],
  ...[{ type: 'http', url: '${input:address}' }, { url: 'https://x.test/${workspaceFolder}' }, { type: 'http' }],
  ...[{ type: 'pigeon' }, { command: '' }, { type: 'stdio', url: 'http://x' }, { command: 'x', args: 'y' }],
  ...[{ command: 'x', args: [1] }, { command: 'x', env: [] }, { command: 'x', env: { a: {} } }, { url: 'unix:///x' }],
  ...[{ command: 'x', cwd: 3 }, { command: 'x', envFile: {} }, { url: 'http://x', headers: 'y' }, { url: '' }],
  ...[
    { command: 'x', sandboxEnabled: true },
    { command: 'x', sandboxEnabled: 'yes' },
    { command: 'x', sandbox: {} },
  ],
  ...[
    { command: 'x', sandbox: {}, sandboxEnabled: false },
    { command: 'npx', args: ['@a/b.js', 'https://a.b/x.js'] },
  ],
];

it('an entry is read as its list says', async () => {
  const told = ENTRIES.flatMap((value) => {
    const places = [{}, { label: 'team.json', folder: '/a' }, { folder: '/b' }].map((more) => defined(value, more));
    const reads = places.slice(0, 2).map((server) => JSON.stringify(readLaunch(server)));
    const recipients = places.map((server) => JSON.stringify(recipientOf(server)));
    return [JSON.stringify(value), ...new Set([...reads, ...recipients].map((line) => ` ${line}`))];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('entries.txt');
});

it('a fingerprint changes with what the server is run with, nothing else', () => {
  const before = fingerprint(defined({ command: 'x', env: { A: '1' } }));
  expect(fingerprint(defined({ command: 'x', env: { A: '1' } }))).toBe(before);
  expect(fingerprint(defined({ command: 'x', env: { A: '2' } }))).not.toBe(before);
  expect(fingerprint(defined({ command: 'x', env: { A: '1' } }, { folder: '/w' }))).not.toBe(before);
  expect(fingerprint(defined({ command: 'x', env: { A: '1' } }, { inputs: [{ id: 'k' }] }))).not.toBe(before);
});

it('timeoutSecondsOf takes a number of seconds, and nothing that is none', () => {
  expect(timeoutSecondsOf(defined({ timeoutSeconds: 90 }))).toBe(90);
  for (const timeoutSeconds of [0, -1, '90', 1e9, Number.NaN])
    expect(timeoutSecondsOf(defined({ timeoutSeconds }))).toBeUndefined();
});
