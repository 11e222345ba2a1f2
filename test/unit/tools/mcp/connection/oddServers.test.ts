import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { TestWorld } from '../world';

const ODD = path.resolve(import.meta.dirname, '../../../../fixtures/oddServer.mjs');

/** What servers do without end, and why they are stopped. */
const ENDLESS = [
  ['blank', /too much text that isn’t MCP/],
  ['notifying', /too many messages without being asked/],
  ['batching', /too many messages without being asked/],
  ['asking', /too many messages without being asked|doesn’t read its input/],
  ['straying', /too many messages without being asked/],
  ['shouting', /too much to its error output/],
  ['moaning', /too much to its error output/],
] as const;

/** Each server misbehaves in its own way, and none does harm: nothing hangs, and nothing grows without limit. */
describe('a server that is no friend of its client', () => {
  const world = new TestWorld();
  world.secrets.add('a-secret-of-ours-1');
  const finite = ['batch', 'alwaysChanged', 'chatty', 'deaf', 'crumbs', 'deep', 'noisy'];
  const oddities = [...finite, ...ENDLESS.map(([odd]) => odd)];
  const started = world.start(
    ...oddities.map((odd) => world.server(odd, { command: process.execPath, args: [ODD, odd] })),
  );
  afterAll(() => world.source.dispose());
  const call = async (odd: string) => {
    await started;
    return world.call(`${odd}/run`);
  };
  const logged = (odd: string) => world.log.filter((line) => line.startsWith(`${odd}: `));

  it('is heard if it answers in a batch', async () => {
    expect(await call('batch')).toMatchObject({ outcome: 'ok', text: 'done' });
    expect(logged('batch')).toEqual(['batch: info: a batch']);
  });

  it('is called if it announces changes with each list, without looping', async () => {
    await started;
    const options = { signal: new AbortController().signal, onProgress: () => {}, refusal: () => undefined };
    const run = await world.source.run(world.tool('alwaysChanged/run'), {}, options);
    // The announced list is read before the call. Otherwise the server is asked for two lists a second.
    expect(run.outcome).toBe('ok');
    const [part] = run.parts;
    expect(Number(part?.type === 'text' && part.text)).toBeLessThan(10 + 2 * process.uptime());
  });

  it('fills neither the log nor the chat', async () => {
    const { outcome, progress } = await call('chatty');
    expect(outcome).toBe('ok');
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.length).toBeLessThan(1_000);
    // The lines come by another pipe than the result.
    await vi.waitFor(() => expect(logged('chatty')).toHaveLength(501), { timeout: 60_000 });
    expect(logged('chatty').at(-1)).toBe(
      'chatty: It writes more than 500 lines a minute: the rest of them is left out.',
    );
  });

  it('is stopped with a reason if its output is no MCP', async () => {
    const run = await call('noisy');
    expect(run.outcome).toBe('failed');
    expect(world.info('noisy').detail).toMatch(/too much text that isn’t MCP/);
    expect(logged('noisy').length).toBeLessThan(1_100);
  });

  it.each(ENDLESS)('is stopped with a reason if it is %s without end', async (odd, reason) => {
    expect((await call(odd)).outcome).toBe('ok');
    await vi.waitFor(() => expect(world.info(odd).detail).toMatch(reason), 60_000);
  });

  it('is stopped if it asks and asks, and reads no answer', async () => {
    expect(await call('deaf')).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('was cut off: its server stopped'),
    });
    expect(logged('deaf')).toContain('deaf: It was stopped because it doesn’t read its input.');
  });

  it('is read as far as its result has bounds', async () => {
    const { parts } = await call('crumbs');
    expect(parts).toHaveLength(10_001);
    expect(parts.at(-1)).toEqual({ type: 'text', text: '[Cut: these are the first 10,000 parts of the result.]' });
  });

  it('can be used though it sends values nested too deeply', async () => {
    const run = await call('deep');
    expect(run).toMatchObject({
      outcome: 'ok',
      text: expect.stringMatching(/^done\n\[A part that nests too deeply was left out\.\]/),
    });
    expect(run.structured).toBeUndefined();
    expect(world.info('deep').state).toBe('running');
  });
});
