import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DefinedServer } from '../../../../../src/tools/mcp/config/definition';
import { isAlive } from '../../../../vscode/harness/processes.mjs';
import { FAULTY, startHttp, TestWorld, until } from '../world';

/** A fault and its expected outcome. `call`: the tool with the fault; without it, the fault shows before a call. */
interface Fault {
  readonly name: string;
  readonly call?: string;
  readonly args?: readonly string[];
  /** The expected text for the model, or the expected detail in the server's state. */
  readonly says: RegExp;
  readonly ok?: boolean;
  /** What the server's state says besides. */
  readonly problems?: RegExp;
  /** Whether the fault is another one over HTTP, and not of what is said over either. */
  readonly alsoHttp?: boolean;
}

const FAULTS: readonly Fault[] = [
  { name: 'slow', args: ['--delay', '700'], call: 'echo', says: /: hi$/, ok: true, alsoHttp: true },
  { name: 'refuse', says: /I will not work with you/, alsoHttp: true },
  { name: 'dead', says: /ended with code 2: I need a token to work/ },
  { name: 'dying', says: /^Its process ended with code 4: dying has started/ },
  { name: 'crashing', says: /^Its process ended with code 1: Error: There is no database\.$/ },
  // Windows knows no signals.
  { name: 'killed', says: /^Its process (was ended by SIGKILL|ended with code \d+)\.$/ },
  { name: 'noise', call: 'echo', says: /: hi$/, ok: true },
  { name: 'twins', call: 'echo', says: /: hi$/, ok: true, problems: /Two of its tools are called add/ },
  { name: 'circle', call: 'echo', says: /: hi$/, ok: true, problems: /tools\/list never ends/ },
  { name: 'huge', call: 'weighty', says: /:/, ok: true },
  {
    name: 'mangled',
    call: 'schemaless',
    says: /:/,
    ok: true,
    problems: /no name[\s\S]*no name[\s\S]*no input schema|listy/,
  },
  {
    name: 'die',
    call: 'die',
    says: /was cut off: .+ before it answered\. The call may have run all the same\.$/,
    alsoHttp: true,
  },
  { name: 'own_code', call: 'own_code', says: /^own_code_own_code failed: The database is down\.$/ },
  { name: 'nonsense', call: 'nonsense', says: /failed: / },
  { name: 'megabytes', call: 'megabytes', says: /^megabytes: (0123456789abcdef){131072}$/, ok: true, alsoHttp: true },
  { name: 'change', call: 'change', says: /: changed$/, ok: true },
];

/** All faults over a transport share a world with a healthy server. The servers start once, side by side. */
describe.each(['stdio', 'http'] as const)('a server over %s that is at fault', (transport) => {
  const world = new TestWorld();
  const stops: (() => Promise<void>)[] = [];
  const faults = FAULTS.filter((fault) => transport === 'stdio' || fault.alsoHttp);
  const serve = async ({ name, args = [] }: Fault): Promise<DefinedServer> => {
    if (transport === 'stdio') return world.faulty(name, name, args);
    const http = await startHttp(name, ['--fault', name, ...args]);
    stops.push(http.stop);
    return world.server(name, { type: 'http', url: http.url });
  };
  beforeAll(async () => world.start(...(await Promise.all(faults.map(serve))), world.faulty('good')));
  afterAll(async () => {
    await world.source.dispose();
    for (const stop of stops) await stop();
  });

  it.concurrent.each(faults)(
    '$name: ends in a clear answer, others work',
    async ({ name, call, says, ok = false, problems }) => {
      const outcome = call ? await world.run(`${name}/${call}`) : { ok: false, text: world.info(name).detail ?? '' };
      const other = await world.run('good/echo');
      expect(outcome.text).toMatch(says);
      expect(outcome.ok).toBe(ok);
      expect(other).toEqual({ ok: true, text: 'good: hi' });
      if (problems) expect(world.info(name).problems.join('\n')).toMatch(problems);
    },
  );

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
  it.concurrent('a dead process whose output is open starts again too', () =>
    inWorld(async (world) => {
      const holding = `require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)'], { detached: true, stdio: 'inherit' });`;
      const args = ['-e', `${holding} import(${JSON.stringify(FAULTY)})`, 'bad'];
      await world.start(world.server('bad', { command: process.execPath, args }));
      const pid = Number((await world.run('bad/pid')).text.split(' ').at(-1));
      process.kill(pid, 'SIGKILL');
      await until('the process to have ended', () => !isAlive(pid));
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
