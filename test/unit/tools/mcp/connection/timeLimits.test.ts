import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttp, TestWorld, until } from '../world';

/** A silence that only the clock ends, at the limit of one second in the definition or the call. */
interface Silence {
  readonly fault: string;
  /** The method that the server doesn't answer. */
  readonly method: 'initialize' | 'tools/list' | 'tools/call';
  readonly says: RegExp;
}

const SILENCES: readonly Silence[] = [
  { fault: 'mute', method: 'initialize', says: /^It did not answer within 1 seconds\.$/ },
  { fault: 'silent', method: 'tools/list', says: /^It did not list its tools within 1 seconds\.$/ },
  { fault: 'hang', method: 'tools/call', says: /^bad_hang did not answer within 1 seconds and was given up/ },
];

let world: TestWorld;
let stops: (() => Promise<void>)[];
let atOnce: NodeJS.Timeout;
beforeEach(() => {
  world = new TestWorld();
  stops = [];
  // Time passes only when the test advances it, so slow process starts change nothing. Work without timers continues.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  atOnce = setInterval(() => vi.advanceTimersByTime(0), 5);
});
afterEach(async () => {
  clearInterval(atOnce);
  vi.useRealTimers();
  await world.source.dispose();
  for (const stop of stops) await stop();
});

async function follow(transport: string, fault: string): Promise<void> {
  const limit = { timeoutSeconds: 1 };
  if (transport === 'stdio') {
    world.definitions = [world.faulty('bad', fault, ['--tell'], limit), world.faulty('good')];
  } else {
    const http = await startHttp('bad', ['--fault', fault, '--tell'], (line) => world.log.push(`bad: ${line}`));
    stops.push(http.stop);
    world.definitions = [world.server('bad', { type: 'http', url: http.url, ...limit }), world.faulty('good')];
  }
  world.source.follow();
}

/** Lets the limit pass once the server has got the request. */
async function outlast(method: string): Promise<void> {
  await until(`the server to be asked for ${method}`, () =>
    world.log.some((line) => line.endsWith(`is asked for ${method}`)),
  );
  await vi.advanceTimersByTimeAsync(1000);
}

describe.each(['stdio', 'http'])('a server over %s that falls silent', (transport) => {
  it.each(SILENCES)(
    '$fault: ends in a clear answer, others work, no process is left',
    async ({ fault, method, says }) => {
      await follow(transport, fault);
      const ready = world.ready();
      if (method !== 'tools/call') await outlast(method);
      await ready;
      const called = method === 'tools/call' ? world.run('bad/hang', 1) : undefined;
      if (called) await outlast(method);
      expect((await called)?.text ?? world.info('bad').detail).toMatch(says);
      expect((await world.run('good/echo')).text).toBe('good: hi');
      await world.source.dispose();
      expect(world.processes()).toBe(0);
    },
  );
});

it('a call answered with something other than MCP ends by time-out', async () => {
  await follow('stdio', 'garbage');
  await world.ready();
  const called = world.run('bad/garbage', 1);
  await outlast('tools/call');
  expect(await called).toMatchObject({ ok: false, text: expect.stringContaining('did not answer within 1 seconds') });
});
