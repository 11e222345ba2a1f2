import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findInput, type InputDefinition, InputStore } from '../../../../../src/tools/mcp/config/inputs';
import { SecretStorage } from '../../../shim/basics';

const inputs = [
  { id: 'token', type: 'promptString', description: 'Your token', password: true },
  {
    id: 'region',
    type: 'pickString',
    description: 'Where',
    options: ['eu', { label: 'America', value: 'us' }],
    default: 'us',
  },
  { id: 'run', type: 'command', command: 'x' },
];
const from = {
  file: 'file:///w/.vscode/mcp.json',
  inputs,
  name: 'server',
  value: { command: 'node', args: ['server.js'] },
};

let kept: SecretStorage;
let asked: string[];
let learned: string[];
let answer: string | undefined;
let shares: boolean;
let store: InputStore;
beforeEach(() => {
  kept = new SecretStorage();
  asked = [];
  learned = [];
  answer = 's3cret';
  shares = false;
  store = new InputStore(
    kept,
    {
      answer: async (input: InputDefinition, server) => {
        asked.push(`${server}: ${input.description}`);
        return answer;
      },
      share: async (input, to, others) => {
        asked.push(`${to.name} (${to.runs}): ${input.description} of ${others.join(', ')}?`);
        return shares;
      },
    },
    (secret) => learned.push(secret),
  );
});

describe('InputStore', () => {
  it('asks once, whoever needs the answer and however often', async () => {
    expect(await Promise.all([store.value(from, 'token'), store.value(from, 'token')])).toEqual(['s3cret', 's3cret']);
    expect(asked).toEqual(['server: Your token']);
  });

  it('learns passwords alone, new ones and those of earlier sessions', async () => {
    await store.value(from, 'token');
    expect(learned).toEqual(['s3cret']);
    answer = 'eu';
    await store.value(from, 'region');
    await store.value(from, 'token');
    expect(learned).toEqual(['s3cret', 's3cret']);
  });

  it('gives an answer to another server once the user agrees', async () => {
    const other = { ...from, name: 'newcomer' };
    await store.value(from, 'token');
    await expect(store.value(other, 'token')).rejects.toThrow('you didn’t let it use your earlier answer');
    shares = true;
    expect(await store.value(other, 'token')).toBe('s3cret');
    expect(await store.value(other, 'token')).toBe('s3cret');
    expect(asked).toEqual([
      'server: Your token',
      'newcomer (node server.js): Your token of server?',
      'newcomer (node server.js): Your token of server?',
    ]);
    expect(await store.kept()).toEqual(['s3cret']);
  });

  it.each([
    ['runs another program', { command: 'other', args: ['server.js'] }, 'other server.js'],
    ['runs it with other arguments', { command: 'node', args: ['-r', 'x.js', 'server.js'] }, 'node -r x.js server.js'],
    ['runs it elsewhere', { command: 'node', args: ['server.js'], cwd: '/tmp' }, 'node server.js'],
    ['runs it in another environment', { ...from.value, env: { NODE_OPTIONS: '-r x.js' } }, 'node server.js'],
    ['is reached at an address', { url: 'https://other.example/mcp' }, 'https://other.example/mcp'],
  ])('gives an answer to the same server once it %s after consent', async (_, value, runs) => {
    await store.value(from, 'token');
    await expect(store.value({ ...from, value }, 'token')).rejects.toThrow('you didn’t let it use your earlier answer');
    shares = true;
    expect(await store.value({ ...from, value }, 'token')).toBe('s3cret');
    expect(await store.value({ ...from, value }, 'token')).toBe('s3cret');
    // With its old definition, the server still has its secret.
    expect(await store.value(from, 'token')).toBe('s3cret');
    expect(asked).toEqual(['server: Your token', ...Array(2).fill(`server (${runs}): Your token of server?`)]);
  });

  it.each([
    ['address', { url: 'https://${env:TENANT}.example/mcp' }],
    ['program', { command: '${env:TENANT}/server' }],
  ])('asks again if a variable leads to another %s', async (_, value) => {
    vi.stubEnv('TENANT', 'one');
    await store.value({ ...from, value }, 'token');
    await store.value({ ...from, value }, 'token');
    expect(asked).toHaveLength(1);
    vi.stubEnv('TENANT', 'two');
    await expect(store.value({ ...from, value }, 'token')).rejects.toThrow('you didn’t let it use your earlier answer');
    vi.unstubAllEnvs();
  });

  it('gives it unasked to the same server for a harmless change', async () => {
    await store.value(from, 'token');
    await store.value({ ...from, value: { ...from.value, alwaysLoad: true, timeoutSeconds: 9 } }, 'token');
    const http = { ...from, name: 'http', value: { url: 'https://a.example/mcp' } };
    shares = true;
    await store.value(http, 'token');
    await store.value({ ...http, value: { ...http.value, headers: { Authorization: '${input:token}' } } }, 'token');
    expect(asked).toHaveLength(2);
  });

  it("asks about the user's own server elsewhere if it’s a workspace program", async () => {
    const own = { ...from, value: { command: 'node', args: ['${workspaceFolder}/server.js'] } };
    await store.value({ ...own, folder: '/one' }, 'token');
    await expect(store.value({ ...own, folder: '/two' }, 'token')).rejects.toThrow('you didn’t let it use');
    const outside = { ...from, name: 'outside', value: { command: 'node', args: ['/opt/server.js'] } };
    await store.value({ ...outside, folder: '/one' }, 'token').catch(() => {});
    shares = true;
    await store.value({ ...outside, folder: '/one' }, 'token');
    shares = false;
    expect(await store.value({ ...outside, folder: '/two' }, 'token')).toBe('s3cret');
  });

  it('learns an earlier session’s passwords in time, and nothing else', async () => {
    await store.value(from, 'token');
    answer = 'eu-1';
    await store.value(from, 'region');
    learned.length = 0;
    await store.learnKept([from, { file: 'file:///b', inputs }, { file: from.file, inputs: [null, { id: 'none' }] }]);
    expect(learned).toEqual(['s3cret']);
    expect(asked).toHaveLength(2);
  });

  it('asks for each file by itself', async () => {
    await store.value(from, 'token');
    await store.value({ ...from, file: 'file:///b' }, 'token');
    expect(asked).toHaveLength(2);
  });

  it('says so, and asks again, if the user gives no answer', async () => {
    answer = undefined;
    await expect(store.value(from, 'token')).rejects.toThrow('“token”');
    answer = 'now';
    expect(await store.value(from, 'token')).toBe('now');
  });

  it.each([
    ['["server"]', 'server'],
    ['{"a":1}', ''],
    ['[1]', ''],
    ['no JSON', ''],
  ])('asks again beside an older or damaged list of servers: %s', async (list, of) => {
    await store.value(from, 'token');
    await kept.store('mcp.holders:mcp.input:file:///w/.vscode/mcp.json#token', list);
    shares = true;
    expect(await store.value(from, 'token')).toBe('s3cret');
    expect(asked.at(-1)).toBe(`server (node server.js): Your token of ${of}?`);
    expect(await store.kept()).toEqual(['s3cret']);
  });

  it('forgets all answers', async () => {
    await store.value(from, 'token');
    await store.value(from, 'region');
    await kept.store('apiKey.anthropic', 'a key');
    expect(await store.forget()).toBe(2);
    expect(await kept.keys()).toEqual(['apiKey.anthropic']);
    await store.value(from, 'token');
    expect(asked).toHaveLength(3);
  });

  it.each(['nope', 'run'])('says that there is no input %s', async (id) => {
    await expect(store.value(from, id)).rejects.toThrow(`\${input:${id}}`);
  });
});

it('findInput reads what there is to choose from', () => {
  expect(findInput(inputs, 'region')).toMatchObject({
    options: [
      { label: 'eu', value: 'eu' },
      { label: 'America', value: 'us' },
    ],
    fallback: 'us',
    password: false,
  });
  expect(findInput([null, 3, { id: 'x' }], 'x')).toBeUndefined();
});
