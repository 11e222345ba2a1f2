import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type InputDefinition, InputStore } from '../../../../../src/tools/mcp/config/inputs';
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
function makeStore() {
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
}
beforeEach(makeStore);

/** What asks for an input, the user's answer, and whether the user shares an earlier one. */
type Step = readonly [change: object, id?: string, answer?: string, shares?: boolean];
const node = (...args: string[]) => ({ value: { command: 'node', args } });
const http = { name: 'http', value: { url: 'https://a.example/mcp' } };
const headers = { Authorization: '${input:token}' };
/** The same server, changed: it asks about it first without consent, then with, then again, and then as it was. */
const consent = (change: object): Step[] => [[{}], [change], [change, 'token', '', true], [change], [{}]];
const STORIES: { readonly [name: string]: readonly Step[] } = {
  'passwords and others': [[{}], [{}, 'region', 'eu'], [{}], [{}, 'region'], [{}, 'nope'], [{}, 'run']],
  'another server': consent({ name: 'newcomer' }),
  'another program': consent({ value: { command: 'other', args: ['server.js'] } }),
  'other arguments': consent(node('-r', 'x.js', 'server.js')),
  elsewhere: consent({ value: { ...from.value, cwd: '/tmp' } }),
  'another environment': consent({ value: { ...from.value, env: { NODE_OPTIONS: '-r x.js' } } }),
  'an address': consent({ value: { url: 'https://other.example/mcp' } }),
  'another file': [[{}], [{ file: 'file:///b' }], [{ label: 'team.json' }, 'nope']],
  'no answer': [[{}, 'token', 'none'], [{}]],
  'a harmless change': [[{}], [{ value: { ...from.value, alwaysLoad: true, timeoutSeconds: 9 } }]],
  'a header': [[http], [{ ...http, value: { ...http.value, headers } }]],
  'a program of the workspace': ['/one', '/two'].map((folder) => [{ ...node('${workspaceFolder}/x.js'), folder }]),
  'a program in the folder': ['/one', '/two'].map((folder) => [{ folder }]),
  'a program elsewhere': ['/one', '/two'].map((folder) => [{ ...node('/opt/x.js'), folder }]),
};

/** Plays a story in which the user answers, while a read or write of a secret may fail. */
async function play(
  steps: readonly Step[],
  fails?: { readonly name: 'get' | 'store' | 'delete'; readonly at: number },
) {
  const told: string[] = [];
  let count = 0;
  if (fails) {
    const real = kept[fails.name] as (...given: string[]) => Promise<never>;
    const broken = (...given: string[]) =>
      ++count === fails.at ? Promise.reject(new Error('Locked.')) : real(...given);
    Object.assign(kept, { [fails.name]: broken });
  }
  const tell = (what: string, done: Promise<unknown>) =>
    done.then(
      (value) => told.push(` ${what} ${JSON.stringify([value, ...asked.splice(0), learned.splice(0)])}`),
      (error) => told.push(` ${what} ${error} ${JSON.stringify([...asked.splice(0), learned.splice(0)])}`),
    );
  for (const [change, id = 'token', given = 's3cret', shared = false] of steps) {
    [answer, shares] = [given === 'none' ? undefined : given, shared];
    await tell(`${id} ${JSON.stringify(change)}`, store.value({ ...from, ...change }, id));
  }
  await tell('kept', store.kept());
  await tell('forgotten', store.forget());
  return [...told, ` left ${JSON.stringify(await kept.keys())}`];
}

it('each story of inputs goes as its file says', async () => {
  const told: string[] = [];
  for (const [name, steps] of Object.entries(STORIES)) {
    makeStore();
    told.push(name, ...(await play(steps)));
  }
  const more: Step[] = [[{}], [{}], [{ name: 'newcomer' }, 'token', '', true]];
  for (const [name, most] of [
    ['get', 7],
    ['store', 4],
    ['delete', 2],
  ] as const)
    for (let at = 1; at <= most; at++) {
      makeStore();
      told.push(`${name} ${at} fails`, ...(await play(more, { name, at })));
    }
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('inputs.txt');
});

describe('InputStore', () => {
  it('asks once, whoever needs the answer and however often', async () => {
    expect(await Promise.all([store.value(from, 'token'), store.value(from, 'token')])).toEqual(['s3cret', 's3cret']);
    expect(asked).toEqual(['server: Your token']);
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

  it('learns an earlier session’s passwords in time, and nothing else', async () => {
    await store.value(from, 'token');
    answer = 'eu-1';
    await store.value(from, 'region');
    learned.length = 0;
    await store.learnKept([from, { file: 'file:///b', inputs }, { file: from.file, inputs: [null, { id: 'none' }] }]);
    expect(learned).toEqual(['s3cret']);
    expect(asked).toHaveLength(2);
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
});
