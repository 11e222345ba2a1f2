import { beforeEach, describe, expect, it } from 'vitest';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import { createStartCheck } from '../../../../src/tools/vscode/askStart';
import { Memento } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';

/** The user's answers, question by question, and the questions shown. */
let answers: string[];
let shown: string[];
let mayStart: ReturnType<typeof createStartCheck>;

beforeEach(() => {
  answers = [];
  shown = [];
  variables = {};
  mayStart = createStartCheck(new Memento(), async () => variables);
  resetHost();
  host.press = (question, _, detail) => {
    shown.push(`${question}\n${detail}`);
    return answers.shift();
  };
});

const { signal } = new AbortController();
/** The variables in each server's `envFile`. */
let variables: { readonly [name: string]: string } = {};
const server = (name: string, value: DefinedServer['value'], file = 'file:///a'): DefinedServer => ({
  ...{ name, value, inputs: [], file, label: '~/.codex/config.toml', asksFirst: true },
});

describe('createStartCheck', () => {
  it.each<[string, DefinedServer['value'], string]>([
    ['query', { url: 'https://a.example/mcp?key=abc' }, 'https://a.example/mcp?key=abc'],
    ['user of an address', { url: 'https://u:p@a.example/mcp' }, 'https://u:p@a.example/mcp'],
    ['header', { url: 'https://a.example', headers: { 'X-Key': '${env:AWS_SECRET}' } }, 'X-Key: ${env:AWS_SECRET}'],
    ['folder', { command: 'a', cwd: '/tmp/evil' }, 'in /tmp/evil'],
    ['file of variables', { command: 'a', envFile: '.env' }, 'with the variables in .env'],
    ['value of a variable', { command: 'a', env: { NODE_OPTIONS: '-r ./x.js' } }, 'NODE_OPTIONS=-r ./x.js'],
    ['variable that is removed', { command: 'a', env: { PATH: null } }, 'without PATH'],
    ['argument', { command: 'a', args: ['-e', 'a\n\nb'] }, 'a -e "a\\n\\nb"'],
    ['empty argument', { command: 'a', args: ['', 'b'] }, 'a "" b'],
    ['invisible letter', { command: 'a', args: ['ser\u200bver.js'] }, 'a ser\\u{200b}ver.js'],
    ['mark of direction', { command: 'a', env: { A: 'x\u202ey' } }, 'A=x\\u{202e}y'],
    ['host of other letters', { url: 'https://\u0430pple.example/mcp' }, 'https://xn--pple-43d.example/mcp'],
  ])('shows the %s before a start, and asks again after changes', async (_, value, line) => {
    answers = ['Start', 'Start', 'Start'];
    const { url, command } = value;
    await mayStart(server('db', url ? { url: 'https://a.example/mcp' } : { command }), signal);
    await mayStart(server('db', value), signal);
    await mayStart(server('db', value), signal);
    expect(shown).toHaveLength(2);
    expect(shown[1]?.split('\n')).toContain(line);
  });

  it('shows the variables of a file, and asks again after they change', async () => {
    const one = server('db', { command: 'a', envFile: '.env' });
    answers = ['Start', 'Start'];
    variables = { A: '1' };
    for (const _ of [1, 2]) expect(await mayStart(one, signal)).toBe(true);
    expect(shown).toHaveLength(1);
    variables = { A: '1', NODE_OPTIONS: '-r ./x.js' };
    expect(await mayStart(one, signal)).toBe(true);
    expect(shown[1]?.split('\n')).toEqual(expect.arrayContaining(['A=1', 'NODE_OPTIONS=-r ./x.js']));
  });

  it('asks again if the variables change during the question', async () => {
    host.press = (_, [start], detail) => {
      variables = { A: 'changed' };
      return shown.push(detail) === 1 ? start : undefined;
    };
    expect(await mayStart(server('db', { command: 'a', envFile: '.env' }), signal)).toBe(false);
    expect(shown).toHaveLength(2);
  });

  it('counts what is too long to show', async () => {
    const env = Object.fromEntries(
      [...Array(32).keys()].map((index) => [`A${index}`, index === 0 ? 'x'.repeat(398) : '']),
    );
    await mayStart(server('db', { command: 'a'.repeat(1_200), env }), signal);
    expect(shown[0]).toMatch(/\na{1000}… and 200 more characters\. Read them in the file before you start it\.\nA0=/);
    expect(shown[0]).toMatch(/x… and 101 more characters.*\n(A\d+=\n){29}… and 2 more lines\. Read them in the file/);
  });

  it('asks again once another program, environment or file would start it', async () => {
    answers = ['Start'];
    await mayStart(server('db', { command: 'npx', args: ['a'] }), signal);
    for (const other of [
      server('db', { command: 'npx', args: ['b'] }),
      server('db', { command: 'npx', args: ['a'], env: { NODE_OPTIONS: '--require x' } }),
      server('db', { command: 'npx', args: ['a'] }, 'file:///b'),
    ])
      expect(await mayStart(other, signal)).toBe(false);
    expect(shown).toHaveLength(4);
  });

  it('doesn’t ask about a server that was stopped meanwhile', async () => {
    const aborted = new AbortController();
    const allowed = mayStart(server('a', { command: 'a' }), aborted.signal);
    aborted.abort();
    expect(await allowed).toBe(false);
    expect(shown).toEqual([]);
  });
});
