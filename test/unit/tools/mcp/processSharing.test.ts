import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DefinedServer } from '../../../../src/tools/mcp/definition';
import { ProcessSharing } from '../../../../src/tools/mcp/processSharing';
import { TestWorld, until } from './world';

const ERA_SERVER = path.resolve(import.meta.dirname, '../../../fixtures/eraServer.mjs');

let folder: string;
let worlds: TestWorld[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sharing-'));
  worlds = [];
});
afterEach(async () => {
  await Promise.all(worlds.map((world) => world.source.dispose()));
  expect(worlds.map((world) => world.processes())).toEqual(worlds.map(() => 0));
  // Sockets are removed with their processes.
  expect(readdirSync(folder).filter((file) => file !== 'key')).toEqual([]);
  rmSync(folder, { recursive: true });
});

interface Opening {
  /** Returns the servers of the first window. Further windows have the same. */
  readonly servers?: (world: TestWorld) => readonly DefinedServer[];
  readonly roots?: TestWorld['roots'];
  readonly version?: string;
  readonly place?: string;
}

/** A window that shares processes. */
async function open({ servers, roots = [], version = '1.0.0', place = folder }: Opening = {}): Promise<TestWorld> {
  const world = new TestWorld(60_000);
  const definitions = worlds[0]?.definitions ?? servers?.(world) ?? [world.faulty('one')];
  worlds.push(world);
  world.roots = roots;
  world.sharing = new ProcessSharing(place, version);
  await world.start(...definitions);
  return world;
}

async function openTwo(servers?: Opening['servers']) {
  return [await open({ servers }), await open()] as const;
}

const windowsOf = (world: TestWorld) => world.source.processes.get('one')?.windows;
const pidOf = async (world: TestWorld) => (await world.call('one/pid')).text;
const sockets = () => readdirSync(folder).filter((file) => file !== 'key');

describe('two windows that share processes', () => {
  it('use one process, and both see its figures', async () => {
    const [one, two] = await openTwo();
    expect(await pidOf(two)).toBe(await pidOf(one));
    expect(one.processes()).toBe(1);
    expect([one, two].map((it) => it.source.refresh().servers[0]?.windows)).toEqual([2, 2]);
    expect(two.source.processes).toEqual(one.source.processes);
    expect([...one.source.catalog.byId.keys()]).toEqual([...two.source.catalog.byId.keys()]);
  });

  it('greet the server once', async () => {
    const [one, two] = await openTwo((world) => [world.faulty('one', undefined, ['--tell'])]);
    await pidOf(two);
    const asked = one.log.filter((line) => / (initialize|server\/discover)$/.test(line));
    expect(asked).toEqual(['one: one is asked for server/discover', 'one: one is asked for initialize']);
  });

  it('begin at once and still have one process', async () => {
    const worlds = await Promise.all([open(), open(), open()]);
    const pids = await Promise.all(worlds.map(pidOf));
    expect(new Set(pids).size).toBe(1);
  });

  it('get their own answers, though their ids are the same', async () => {
    const [one, two] = await openTwo();
    const calls = Array.from({ length: 50 }, (_, i) => [
      one.call('one/echo', { text: `first ${i}` }),
      two.call('one/echo', { text: `second ${i}` }),
    ]).flat();
    const texts = (await Promise.all(calls)).map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 50 }, (_, i) => [`one: first ${i}`, `one: second ${i}`]).flat());
  });

  it('hear of the progress of their own calls alone', async () => {
    const [one, two] = await openTwo();
    const [first, second] = await Promise.all([
      one.call('one/progress', { ms: 1_000 }),
      two.call('one/echo', { text: 'x' }),
    ]);
    expect(first.progress).toEqual(['half way 1/2']);
    expect(second.progress).toEqual([]);
  });

  it('both hear that the tools changed', async () => {
    const [one, two] = await openTwo();
    await one.call('one/change');
    for (const world of [one, two]) await until('the new tool', () => world.source.catalog.byId.has('one/brand_new'));
  });

  it('cancel only their own calls', async () => {
    const file = path.join(os.tmpdir(), `calls-${randomUUID()}`);
    const [one, two] = await openTwo((world) => [world.faulty('one', undefined, ['--calls', file])]);
    const stop = new AbortController();
    const cancelled = one.call('one/hang', {}, stop.signal);
    const other = two.call('one/progress', { ms: 1_000 });
    await until('both calls', () => existsSync(file) && readFileSync(file, 'utf8').split('\n').length > 2);
    stop.abort();
    expect((await cancelled).outcome).toBe('cancelled');
    expect((await other).text).toBe('one: done');
    const { text } = await two.call('one/cancelled');
    expect(JSON.parse(text.replace('one: ', ''))).toHaveLength(1);
    rmSync(file);
  });
});

describe('a question of a shared server', () => {
  const answering = (world: TestWorld, name: string) => {
    const asked: string[] = [];
    world.ask = async (server) => {
      asked.push(server);
      return { action: 'accept', content: { name } };
    };
    return asked;
  };

  it('goes to the window whose call caused it', async () => {
    const [one, two] = await openTwo();
    const [first, second] = [answering(one, 'Ada'), answering(two, 'Bob')];
    expect((await two.call('one/elicit')).text).toContain('"Bob"');
    expect((await one.call('one/elicit')).text).toContain('"Ada"');
    expect([first.length, second.length]).toEqual([1, 1]);
  });

  it('waits until no other window has a running call', async () => {
    const [one, two] = await openTwo();
    const first = answering(one, 'Ada');
    answering(two, 'Bob');
    const other = one.call('one/progress', { ms: 1_500 });
    const asking = two.call('one/elicit');
    expect((await other).text).toBe('one: done');
    expect((await asking).text).toContain('"Bob"');
    expect(first).toEqual([]);
  });

  it('is refused the first time if two windows’ calls ask at once', async () => {
    const [one, two] = await openTwo();
    answering(one, 'Ada');
    answering(two, 'Bob');
    const texts = (await Promise.all([one, two].map((it) => it.call('one/elicit', { together: 2 })))).map(
      ({ text }) => text,
    );
    for (const text of texts) expect(text).toContain('Two windows called this server at the same time');
    // From then on their calls run one after the other.
    const again = await Promise.all([one.call('one/elicit'), two.call('one/elicit')]);
    expect(again.map(({ text }) => text)).toEqual([expect.stringContaining('"Ada"'), expect.stringContaining('"Bob"')]);
  });

  it('lets calls of different windows run one after the other', async () => {
    const file = path.join(os.tmpdir(), `calls-${randomUUID()}`);
    const [one, two] = await openTwo((world) => [world.faulty('one', undefined, ['--calls', file])]);
    answering(one, 'Ada');
    await one.call('one/elicit');
    const ended: string[] = [];
    const long = one.call('one/progress', { ms: 1_500 }).then(() => ended.push('long'));
    await until('the call', () => readFileSync(file, 'utf8').includes('progress'));
    const short = two.call('one/echo', { text: 'x' }).then(() => ended.push('short'));
    await Promise.all([long, short]);
    expect(ended).toEqual(['long', 'short']);
    rmSync(file);
  });

  it('is answered by a failure if its window goes away', async () => {
    const [one, two] = await openTwo();
    let isAsked = false;
    two.ask = () => {
      isAsked = true;
      return new Promise(() => {});
    };
    const asking = two.call('one/elicit');
    await until('the question', () => isAsked);
    const waiting = one.call('one/echo', { text: 'still here' });
    await two.source.dispose();
    expect((await asking).outcome).not.toBe('ok');
    expect((await waiting).text).toBe('one: still here');
  });
});

describe('the end of a window', () => {
  it('that only joined leaves the process to the other', async () => {
    const [one, two] = await openTwo();
    const pid = await pidOf(one);
    await two.source.dispose();
    await until('one window', () => windowsOf(one) === 1);
    expect(await pidOf(one)).toBe(pid);
  });

  it('that runs the process ends it, and the other takes over', async () => {
    const [one, two] = await openTwo();
    const pid = await pidOf(two);
    const hanging = two.call('one/hang');
    await until('the call', () => windowsOf(two) === 2);
    await one.source.dispose();
    expect((await hanging).text).toContain('was cut off');
    expect(two.info('one')).toMatchObject({
      state: 'stopped',
      detail: expect.stringContaining(
        'The window that ran the server was closed. It starts when one of its tools is called.',
      ),
    });
    expect(await pidOf(two)).not.toBe(pid);
    const three = await open();
    expect(await pidOf(three)).toBe(await pidOf(two));
  });

  it('ends the process only if it is the last that uses it', async () => {
    const [one, two] = await openTwo();
    const pid = await pidOf(one);
    one.definitions = [];
    one.source.refresh();
    await until('one window', () => windowsOf(two) === 1);
    expect(await pidOf(two)).toBe(pid);
    two.definitions = [];
    two.source.refresh();
    await until('the end', () => two.processes() === 0);
  });

  it('by a crash leaves a socket that the next window replaces', async () => {
    const one = await open();
    const [name = ''] = sockets();
    await one.source.dispose();
    // A socket without a listener, as a killed process leaves it.
    const program = `require('node:net').createServer().listen(${JSON.stringify(path.join(folder, name))}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(sockets()).toEqual([name]);
    const two = await open();
    expect((await two.call('one/echo', { text: 'hi' })).text).toBe('one: hi');
    const three = await open();
    expect(windowsOf(three)).toBe(2);
  });
});

describe('a process is not shared', () => {
  it.each([
    ['arguments', (value: DefinedServer['value']) => ({ ...value, args: [...(value.args as string[]), '--say', 'x'] })],
    ['environment', (value: DefinedServer['value']) => ({ ...value, env: { TOKEN: 'other' } })],
    ['folder', (value: DefinedServer['value']) => ({ ...value, cwd: os.tmpdir() })],
  ])('with a window that has another %s', async (_, change) => {
    const one = await open();
    const two = await open();
    const [server] = one.definitions;
    two.definitions = [{ ...server, value: change(server?.value ?? {}) } as DefinedServer];
    two.source.refresh();
    await two.ready();
    expect(await pidOf(two)).not.toBe(await pidOf(one));
    expect([windowsOf(one), windowsOf(two)]).toEqual([1, 1]);
  });

  it('with a window of another version', async () => {
    const one = await open();
    const two = await open({ version: '2.0.0' });
    expect(await pidOf(two)).not.toBe(await pidOf(one));
  });

  it('by windows with different folders if the server asks for them', async () => {
    const [one, two] = await openTwo();
    const folders = (name: string) => [{ uri: `file:///${name}`, name }];
    one.roots = folders('a');
    two.roots = folders('b');
    for (const world of [one, two]) {
      world.definitions = [...world.definitions].map((it) => ({ ...it, file: 'file:///other.json' }));
      world.source.refresh();
    }
    await until('the end', () => one.processes() === 0);
    await one.source.startServers('byUser');
    await two.source.startServers('byUser');
    expect(windowsOf(two)).toBe(2);
    expect((await one.call('one/roots')).text).toContain('file:///a');
    await until('the other window to leave', () => two.source.processes.size === 0);
    expect(two.info('one').detail).toContain('The server asked for the folders of another window');
    expect((await two.call('one/roots')).text).toContain('file:///b');
    expect([windowsOf(one), windowsOf(two)]).toEqual([1, 1]);
    const three = await open({ roots: two.roots });
    expect(await pidOf(three)).toBe(await pidOf(two));
  });

  it('in a folder that others can read', async () => {
    chmodSync(folder, 0o755);
    const [one, two] = await openTwo();
    expect(await pidOf(two)).not.toBe(await pidOf(one));
    expect(one.log.join()).toContain('is no folder of this user alone');
    chmodSync(folder, 0o700);
  });

  it('in a folder that is a link', async () => {
    const linked = `${folder}-link`;
    symlinkSync(folder, linked);
    const world = await open({ place: linked });
    expect(world.log.join()).toContain('is no folder of this user alone');
    rmSync(linked);
  });
});

describe('a stranger at the socket', () => {
  /** Connects, writes some lines, and returns everything that it receives. */
  async function hear(...lines: readonly string[]): Promise<string> {
    const socket = connect(path.join(folder, sockets()[0] ?? ''));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('error', () => {});
    for (const line of lines) socket.write(`${line}\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    return heard;
  }

  it.each([
    ['with a wrong proof', ['["abc"]', '["0000"]', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}']],
    ['with garbage', ['<html>', 'x'.repeat(400), '{}']],
    ['with a line without end', ['x'.repeat(100_000)]],
    ['that says nothing', []],
  ])('%s gets nothing, and the windows go on', async (_, lines) => {
    const one = await open();
    const heard = await hear(...lines);
    // Only the owner's own proof may be received.
    expect(heard.split('\n').length).toBeLessThanOrEqual(2);
    expect(heard).not.toContain('jsonrpc');
    expect(windowsOf(one)).toBe(1);
    expect((await one.call('one/echo', { text: 'on' })).text).toBe('one: on');
  });

  it('cannot keep windows out by many connections', async () => {
    const one = await open();
    const address = path.join(folder, sockets()[0] ?? '');
    const flood = Array.from({ length: 200 }, () => connect(address).on('error', () => {}));
    await Promise.all(flood.map((socket) => once(socket, 'connect')));
    const two = await open();
    expect(await pidOf(two)).toBe(await pidOf(one));
    for (const socket of flood) socket.destroy();
  });

  it.each([
    ['claims to have the key', '["abc","0000"]\n'],
    ['never answers', ''],
  ])('that took the socket and %s gets no message', async (_, answer) => {
    const one = await open();
    const [name = ''] = sockets();
    await one.source.dispose();
    let heard = '';
    const fake = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        heard += chunk;
        socket.write(answer);
      });
    }).listen(path.join(folder, name));
    const two = await open();
    expect((await two.call('one/echo', { text: 'secret' })).text).toBe('one: secret');
    expect(heard).not.toContain('secret');
    expect(
      heard
        .trim()
        .split('\n')
        .every((line) => /^\["[0-9a-f]{64}"\]$/.test(line)),
    ).toBe(true);
    expect(two.log.join()).toContain("Its process isn't shared with other windows");
    // The fake owner is closed before the folder is checked again.
    await new Promise((resolve) => fake.close(resolve));
  });

  it('finds neither the key nor the name of a server', async () => {
    await open();
    const file = path.join(folder, 'key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(sockets().join()).toMatch(/^[\w-]{22}$/);
    writeFileSync(file, '0'.repeat(64));
    const two = await open();
    expect(await pidOf(two)).not.toBe(await pidOf(worlds[0] as TestWorld));
  });
});

/** Joins a process as a window does, with the user's key. */
async function joinByHand() {
  const key = readFileSync(path.join(folder, 'key'), 'utf8');
  const proof = (...parts: readonly string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
  const socket = connect(path.join(folder, sockets()[0] ?? ''));
  socket.on('error', () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? 'null');
  const write = (value: unknown) => socket.write(`${JSON.stringify(value)}\n`);
  write(['ours']);
  const [theirs, claim] = (await next()) as [string, string];
  expect(claim).toBe(proof('owner', 'ours', theirs));
  write([proof('member', 'ours', theirs), 'folders']);
  expect(await next()).toEqual(['joined']);
  return { socket, next, write };
}

describe('a window that misbehaves', () => {
  it('has its flood of calls refused, and the others go on', async () => {
    const one = await open();
    const { socket, next, write } = await joinByHand();
    for (let id = 0; id < 3_000; id++)
      write({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hang', arguments: {} } });
    expect((await one.call('one/echo', { text: 'on' })).text).toBe('one: on');
    expect(await next()).toMatchObject(['process', { windows: 2 }]);
    for (let id = 1_000; id < 3_000; id++)
      expect(await next()).toEqual({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'Too many requests at once.' },
      });
    socket.destroy();
    await until('it to be gone', () => windowsOf(one) === 1);
    expect((await one.call('one/echo', { text: 'on' })).text).toBe('one: on');
  });

  it.each(['<html>', '[]', '"text"', '{"jsonrpc":"2.0","id":1,"result":{}}'])(
    'by writing %s harms no other window',
    async (line) => {
      const one = await open();
      const { socket } = await joinByHand();
      socket.write(`${line}\n`);
      expect((await one.call('one/echo', { text: 'on' })).text).toBe('one: on');
      socket.destroy();
      await until('it to be gone', () => windowsOf(one) === 1);
    },
  );
});

it.each(['modern', 'ending', 'silent'])('%s servers are shared too', async (kind) => {
  const [one, two] = await openTwo((world) => [
    world.server('one', { command: process.execPath, args: [ERA_SERVER, kind, world.mark] }),
  ]);
  expect((await one.call('one/greet')).text).toBe('Hello');
  expect((await two.call('one/greet')).text).toBe('Hello');
  expect(windowsOf(two)).toBe(2);
  if (kind !== 'modern') return;
  two.ask = async () => ({ action: 'accept', content: { name: 'Bob' } });
  expect((await two.call('one/elicit')).text).toBe('Hello, Bob');
});
