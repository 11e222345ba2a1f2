import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DefinedServer } from '../../../../../src/tools/mcp/config/definition';
import { startHttp, TestWorld } from '../world';

/** A fault and its expected outcome. `call`: the tool with the fault; without it, the fault shows before a call. */
interface Fault {
  readonly name: string;
  readonly call?: string;
  readonly args?: readonly string[];
  /** The expected text for the model, or the expected detail in the server's state. */
  readonly says: RegExp;
  readonly ok?: boolean;
  /** Whether the fault needs a process or something else that only stdio has. */
  readonly stdioOnly?: boolean;
}

const FAULTS: readonly Fault[] = [
  { name: 'slow', args: ['--delay', '700'], call: 'echo', says: /: hi$/, ok: true },
  { name: 'refuse', says: /I will not work with you/ },
  { name: 'dead', says: /ended with code 2: I need a token to work/, stdioOnly: true },
  { name: 'dying', says: /^Its process ended with code 4: dying has started/, stdioOnly: true },
  { name: 'crashing', says: /^Its process ended with code 1: Error: There is no database\.$/, stdioOnly: true },
  { name: 'noise', call: 'echo', says: /: hi$/, ok: true, stdioOnly: true },
  { name: 'twins', call: 'echo', says: /: hi$/, ok: true },
  { name: 'circle', call: 'echo', says: /: hi$/, ok: true },
  { name: 'huge', call: 'weighty', says: /:/, ok: true },
  { name: 'mangled', call: 'schemaless', says: /:/, ok: true },
  { name: 'die', call: 'die', says: /was cut off: .+ before it answered\. The call may have run all the same\.$/ },
  { name: 'own_code', call: 'own_code', says: /^own_code_own_code failed: The database is down\.$/ },
  { name: 'nonsense', call: 'nonsense', says: /failed: / },
  { name: 'megabytes', call: 'megabytes', says: /^megabytes: (0123456789abcdef){131072}$/, ok: true },
  { name: 'change', call: 'change', says: /: changed$/, ok: true },
];

const rows: string[][] = [];
afterAll(() => {
  const head = ['fault', 'transport', 'outcome', 'other server usable'];
  const order = (row: string[]) => FAULTS.findIndex((fault) => fault.name === row[0]) + (row[1] === 'http' ? 100 : 0);
  const all = [head, ...rows.sort((a, b) => order(a) - order(b))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '));
  process.stdout.write(`\nFaults of servers that the extension runs itself\n${lines.join('\n')}\n`);
});

/** All faults over a transport share a world with a healthy server. The servers start once, side by side. */
describe.each(['stdio', 'http'] as const)('a server over %s that is at fault', (transport) => {
  const world = new TestWorld();
  const stops: (() => Promise<void>)[] = [];
  const faults = FAULTS.filter((fault) => transport === 'stdio' || !fault.stdioOnly);
  const serve = async ({ name, args = [] }: Fault): Promise<DefinedServer> => {
    if (transport === 'stdio') return world.faulty(name, name, args);
    const http = await startHttp(name, ['--fault', name, ...args]);
    stops.push(http.stop);
    return world.server(name, { type: 'http', url: http.url });
  };
  beforeAll(async () => {
    await world.start(...(await Promise.all(faults.map(serve))), world.faulty('good'));
  });
  afterAll(async () => {
    await world.source.dispose();
    for (const stop of stops) await stop();
  });

  it.concurrent.each(faults)('$name: ends in a clear answer, others work', async ({ name, call, says, ok = false }) => {
    const outcome = call ? await world.run(`${name}/${call}`) : { ok: false, text: world.info(name).detail ?? '' };
    const other = await world.run('good/echo');
    const words = outcome.text.replace(/\s+/g, ' ');
    rows.push([
      name,
      transport,
      `${outcome.ok ? 'ok' : 'failed'}: ${words.slice(0, 70)}${words.length > 70 ? '…' : ''}`,
      other.ok ? 'yes' : 'no',
    ]);
    expect(outcome.text).toMatch(says);
    expect(outcome.ok).toBe(ok);
    expect(other).toEqual({ ok: true, text: 'good: hi' });
  });

  it('leaves no process', async () => {
    expect(world.processes('good')).toBe(1);
    await world.source.dispose();
    expect(world.processes()).toBe(0);
  });
});

/** Gives a test a world of its own. Such tests run side by side, since most of their time is waiting. */
async function inWorld(test: (world: TestWorld, closers: (() => Promise<void>)[]) => Promise<void>): Promise<void> {
  const world = new TestWorld();
  const closers: (() => Promise<void>)[] = [];
  try {
    await test(world, closers);
  } finally {
    await world.source.dispose();
    for (const close of closers) await close();
  }
}

describe('what a fault leaves behind', () => {
  it.concurrent('lists only the first of two same-named tools, and says so', () =>
    inWorld(async (world) => {
      await world.start(world.faulty('bad', 'twins'));
      expect(world.info('bad').problems).toEqual([expect.stringContaining('Two of its tools are called add')]);
    }));

  it.concurrent('pages that never end are stopped, and the server says so', () =>
    inWorld(async (world) => {
      await world.start(world.faulty('bad', 'circle'));
      expect(world.info('bad').problems).toEqual([expect.stringContaining('tools/list never ends')]);
    }));

  it.concurrent('unusable tools are left out or repaired, and the server says so', () =>
    inWorld(async (world) => {
      await world.start(world.faulty('bad', 'mangled'));
      expect(world.info('bad').problems.join('\n')).toMatch(/no name[\s\S]*no name[\s\S]*no input schema|listy/);
    }));

  it.concurrent('a server that died starts again with the next call', () =>
    inWorld(async (world) => {
      await world.start(world.faulty('bad'));
      await world.run('bad/die');
      expect(world.info('bad')).toMatchObject({
        state: 'stopped',
        detail: expect.stringContaining('ended with code 3'),
      });
      expect((await world.run('bad/echo')).text).toBe('bad: hi');
    }));

  it.concurrent('a vanished HTTP server is named, and initialized again when back', () =>
    inWorld(async (world, closers) => {
      // A connection that is kept open could close during the call. Then the call would be cut off, as in the next
      // test.
      const http = await startHttp('web', ['--brief']);
      await world.start(world.server('web', { type: 'http', url: http.url }));
      expect((await world.run('web/echo')).text).toBe('web: hi');
      await http.stop();
      expect((await world.run('web/echo')).text).toMatch(
        /can't be called: its server “web” of mcp\.json can't be started/,
      );
      const back = await startHttp('web', ['--port', new URL(http.url).port]);
      closers.push(back.stop);
      expect((await world.run('web/echo')).text).toBe('web: hi');
    }));

  it.concurrent('a broken HTTP call may have run: it is not repeated', () =>
    inWorld(async (world, closers) => {
      const http = await startHttp('web');
      closers.push(http.stop);
      await world.start(world.server('web', { type: 'http', url: http.url }));
      expect(await world.run('web/drop')).toEqual({
        ok: false,
        text: expect.stringMatching(
          /was cut off: the connection to its server broke before it answered\. The call may have run all the same\.$/,
        ),
      });
      expect((await world.run('web/dropped')).text).toBe('web: 1');
    }));
});
