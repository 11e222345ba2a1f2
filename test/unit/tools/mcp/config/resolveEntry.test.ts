import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Launch } from '../../../../../src/tools/mcp/config/definition';
import { parseEnvFile } from '../../../../../src/tools/mcp/config/envFile';
import { resolveTarget } from '../../../../../src/tools/mcp/config/resolveEntry';
import { ServerFailure } from '../../../../../src/tools/mcp/config/serverFailure';
import { resolveText, type VariableContext } from '../../../../../src/tools/mcp/config/variables';
import { holdsAsync } from '../../../property';

const context: VariableContext = {
  file: '~/.cursor/mcp.json',
  folder: '/projects/app',
  folders: new Map([
    ['app', '/projects/app'],
    ['lib', '/projects/lib'],
  ]),
  home: '/home/me',
  env: { PATH: '/bin', TOKEN: 'from outside', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--inspect' },
  input: async (id) => {
    if (id === 'none') throw new ServerFailure('not given');
    return `answer to ${id}`;
  },
  learn: () => {},
  learnArguments: () => {},
};
const resolve = (text: string, more: Partial<VariableContext> = {}) => resolveText(text, { ...context, ...more });
const stdio: Launch & { kind: 'stdio' } = { kind: 'stdio', command: 'node', args: [], env: {} };
const noFile = () => Promise.reject(new Error('ENOENT'));

describe('resolveText', () => {
  it.each([
    ['${workspaceFolder}/x', '/projects/app/x'],
    ['${workspaceFolder:lib}', '/projects/lib'],
    ['${workspaceFolderBasename}', 'app'],
    ['${env:TOKEN}, ${env:MISSING}${env:toString}', 'from outside, '],
    ['a ${input:key} b', 'a answer to key b'],
    ['${userHome}${pathSeparator}x', `/home/me${path.sep}x`],
    ['$HOME, ${, $${', '$HOME, ${, $${'],
  ])('makes of %s', async (text, expected) => expect(await resolve(text)).toBe(expected));

  it.each(['${workspaceFolder:nope}', '${command:x}', '${nope}', '${env:}', '${input:none}'])(
    'fails for %s with words',
    (text) => expect(resolve(text)).rejects.toThrow(ServerFailure),
  );

  it('fails without a folder, and says what it knows', async () => {
    await expect(resolve('${workspaceFolder}', { folder: undefined })).rejects.toThrow('no folder is open');
    await expect(resolve('${workspaceFolder:nope}')).rejects.toThrow('no folder of the workspace is called nope');
    await expect(resolve('${nope}')).rejects.toThrow(' It knows workspaceFolder, workspaceFolderBasename, env:…');
  });

  it('reads no variables in a variable’s value', async () => {
    expect(await resolve('${env:A}', { env: { A: '${env:B}', B: 'secret' } })).toBe('${env:B}');
  });

  it('leaves text without variables alone', async () => {
    await holdsAsync([fc.string().filter((text) => !text.includes('${'))], async (text) => {
      expect(await resolve(text)).toBe(text);
    });
  });
});

describe('resolveTarget', () => {
  it.each<Launch>([
    { ...stdio, args: ['${input:none}', '${input:none}'] },
    { kind: 'http', url: 'https://a.example', headers: { A: '${input:none}', B: '${input:none}' }, sseOnly: false },
  ])('asks nothing more once an input is declined: $kind', async (launch) => {
    const asked: string[] = [];
    const input = (id: string) => {
      asked.push(id);
      return context.input(id);
    };
    await expect(resolveTarget(launch, { ...context, input }, noFile)).rejects.toThrow('not given');
    expect(asked).toEqual(['none']);
  });

  it('keeps our keys from a server that does not ask for them', async () => {
    const env = { PATH: '/bin', ANTHROPIC_API_KEY: 'a-key', OPENAI_API_KEY: 'o-key', openai_api_key: 'o-key' };
    const envOf = async (more: Partial<typeof stdio>) => {
      const target = await resolveTarget({ ...stdio, ...more }, { ...context, env }, async () => '');
      return target.kind === 'stdio' && target.env;
    };
    expect(await envOf({})).toEqual({ PATH: '/bin' });
    expect(await envOf({ env: { OPENAI_API_KEY: '${env:OPENAI_API_KEY}' } })).toEqual({
      PATH: '/bin',
      OPENAI_API_KEY: 'o-key',
    });
  });

  it('puts the environment together: the user’s, the file’s, then the definition’s', async () => {
    const launch = { ...stdio, envFile: '${workspaceFolder}/.env', env: { TOKEN: '${input:t}', PATH: null } };
    const target = await resolveTarget(launch, context, async (file) => {
      expect(file).toBe('/projects/app/.env');
      return 'TOKEN=from file\nMORE="a\\nb"';
    });
    expect(target).toEqual({
      kind: 'stdio',
      command: 'node',
      args: [],
      cwd: '/projects/app',
      env: { TOKEN: 'answer to t', MORE: 'a\nb' },
    });
  });

  it('runs in the folder, in one below it, or at home', async () => {
    expect(await resolveTarget({ ...stdio, cwd: 'sub' }, context, noFile)).toMatchObject({
      cwd: path.resolve('/projects/app/sub'),
    });
    expect(await resolveTarget(stdio, { ...context, folder: undefined }, noFile)).toMatchObject({
      cwd: path.resolve('/home/me'),
    });
  });

  it('names an environment file that can not be read', async () => {
    await expect(resolveTarget({ ...stdio, envFile: 'gone' }, context, noFile)).rejects.toThrow('"envFile"');
  });

  it('resolves address and headers, and takes no other protocol', async () => {
    const http: Launch = {
      kind: 'http',
      url: '${env:URL}',
      headers: { Authorization: 'Bearer ${input:t}' },
      sseOnly: false,
    };
    const target = await resolveTarget(http, { ...context, env: { URL: 'https://x.test/mcp' } }, noFile);
    expect(target).toMatchObject({ headers: { Authorization: 'Bearer answer to t' } });
    for (const URL of ['file:///etc/passwd', 'nonsense', '']) {
      await expect(resolveTarget(http, { ...context, env: { URL } }, noFile)).rejects.toThrow('"url"');
    }
  });
});

it.each([
  ['A=1\r\nB = two words \n', { A: '1', B: 'two words' }],
  ['# A=1\n\nnonsense\nexport C=3', { C: '3' }],
  ['A="x # y" # z\nB=\'it\\n\'\nC=x # y', { A: 'x # y', B: 'it\\n', C: 'x' }],
  ['A=\nB=#c\nC=a=b', { A: '', B: '', C: 'a=b' }],
])('parseEnvFile reads %j', (text, expected) => expect(parseEnvFile(text)).toEqual(expected));
