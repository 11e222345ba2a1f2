import { describe, expect, it } from 'vitest';
import {
  type DefinedServer,
  fingerprint,
  readLaunch,
  timeoutSecondsOf,
} from '../../../../../src/tools/mcp/config/definition';

const defined = (value: DefinedServer['value'], more: Partial<DefinedServer> = {}): DefinedServer => ({
  name: 'a',
  value,
  inputs: [],
  file: 'file:///mcp.json',
  ...more,
});
const launch = (value: DefinedServer['value']) => {
  const read = readLaunch(defined(value));
  return read.ok ? read.launch : read.reason;
};

describe('readLaunch', () => {
  it('names the file in which an entry is wrong', () => {
    const reasonIn = (label?: string) => {
      const read = readLaunch(defined({ type: 'x' }, label ? { label } : {}));
      return read.ok ? '' : read.reason;
    };
    expect(['team.json', undefined].map((label) => reasonIn(label).split(' ').at(-1))).toEqual([
      'team.json.',
      'mcp.json.',
    ]);
  });

  it('reads a server over stdio; numbers and flags become text', () => {
    expect(
      launch({
        command: 'npx',
        args: ['-y', 'x'],
        env: { PORT: 80, DEBUG: true, HOME: null },
        cwd: 'sub',
        envFile: '.env',
      }),
    ).toEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'x'],
      env: { PORT: '80', DEBUG: 'true', HOME: null },
      cwd: 'sub',
      envFile: '.env',
    });
  });

  it('runs a server whose sandbox is turned off', () => {
    expect(launch({ command: 'x', sandbox: {}, sandboxEnabled: false })).toMatchObject({ command: 'x' });
  });

  it('reads servers over HTTP, and the older transport by its type', () => {
    expect(launch({ url: 'https://x.test/mcp', headers: { a: 'b' } })).toEqual({
      kind: 'http',
      url: 'https://x.test/mcp',
      headers: { a: 'b' },
      sseOnly: false,
    });
    expect(launch({ type: 'sse', url: 'http://x.test' })).toMatchObject({ sseOnly: true });
    expect(launch({ type: 'http', url: '${input:address}' })).toMatchObject({ url: '${input:address}' });
  });

  it.each([
    [{}, '"command" or a "url"'],
    [{ type: 'pigeon' }, '"type"'],
    [{ command: '' }, '"command"'],
    [{ command: 'x', args: 'y' }, '"args"'],
    [{ command: 'x', args: [1] }, '"args"'],
    [{ command: 'x', env: [] }, '"env"'],
    [{ command: 'x', env: { a: {} } }, '"env"'],
    [{ command: 'x', cwd: 3 }, '"cwd"'],
    [{ command: 'x', envFile: {} }, '"envFile"'],
    [{ url: 'unix:///tmp/x' }, '"url"'],
    [{ url: 'http://x', headers: 'y' }, '"headers"'],
    [{ command: 'x', sandboxEnabled: true }, 'toolsearch.mcp.host to "vscode"'],
    [{ command: 'x', sandboxEnabled: 'yes' }, 'sandbox'],
    [{ command: 'x', sandbox: { network: {} } }, 'sandbox'],
  ])('says what is wrong in %j', (value, key) => expect(launch(value)).toContain(key));
});

describe('fingerprint', () => {
  it('changes with whatever the server is run with, and with nothing else', () => {
    const before = fingerprint(defined({ command: 'x', env: { A: '1' } }));
    expect(fingerprint(defined({ command: 'x', env: { A: '1' } }))).toBe(before);
    expect(fingerprint(defined({ command: 'x', env: { A: '2' } }))).not.toBe(before);
    expect(fingerprint(defined({ command: 'x', env: { A: '1' } }, { folder: '/w' }))).not.toBe(before);
    expect(fingerprint(defined({ command: 'x', env: { A: '1' } }, { inputs: [{ id: 'k' }] }))).not.toBe(before);
  });
});

it('timeoutSecondsOf takes a number of seconds, and nothing that is none', () => {
  expect(timeoutSecondsOf(defined({ timeoutSeconds: 90 }))).toBe(90);
  for (const timeoutSeconds of [0, -1, '90', 1e9, Number.NaN])
    expect(timeoutSecondsOf(defined({ timeoutSeconds }))).toBeUndefined();
});
