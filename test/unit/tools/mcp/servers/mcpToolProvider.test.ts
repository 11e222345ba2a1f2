import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CatalogCache } from '../../../../../src/tools/catalogCache';
import { SeenTools } from '../../../../../src/tools/changes/seenTools';
import { fingerprint } from '../../../../../src/tools/mcp/config/definition';
import { ProviderSwitch } from '../../../../../src/tools/providerSwitch';
import type { CachedTools } from '../../../../../src/tools/toolProvider';
import { memoryFile } from '../../../memoryFile';
import { TestWorld, until } from '../world';

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});
afterEach(async () => {
  await world.source.dispose();
  expect(world.processes()).toBe(0);
});

/** The cache that an earlier session would have left. */
function cacheOf(from: TestWorld): CachedTools {
  return new Map(
    from.definitions.map((definition) => [
      definition.name,
      {
        fingerprint: fingerprint(definition),
        tools: from.source.given.filter((tool) => tool.server === definition.name),
      },
    ]),
  );
}

/** A session over these servers that begins with the cache of `world`. */
async function restarted(definitions = world.definitions): Promise<TestWorld> {
  const next = new TestWorld();
  next.definitions = definitions;
  next.source.useCached(cacheOf(world));
  await world.source.dispose();
  next.source.follow();
  return next;
}

describe('servers of our own client', () => {
  it('are listed by the first question, with all their tools’ details', async () => {
    await world.source.dispose();
    world = new TestWorld(60_000);
    world.definitions = [world.faulty('one'), world.faulty('two')];
    world.source.follow();
    expect(world.info('one')).toMatchObject({ state: 'stopped', detail: expect.stringContaining('first question') });
    expect(world.processes()).toBe(0);
    const ready = world.ready();
    expect([...world.source.startingSince.keys()]).toEqual(['one', 'two']);
    await ready;
    expect(world.info('one').state).toBe('running');
    expect(world.tool('one/echo')).toMatchObject({
      title: 'echo of one',
      alwaysLoad: true,
      annotations: { readOnlyHint: true },
      examples: [{ args: { text: 'hello' } }],
    });
    expect(world.tool('one/structured').outputSchema).toEqual({
      type: 'object',
      properties: { answer: { type: 'number' } },
    });
    expect(world.tool('two/pid').modelName).toBe('two_pid');
  });

  it('are not started while known; a call starts one server', async () => {
    await world.start(world.faulty('one'), world.faulty('two'));
    const next = await restarted();
    await next.ready();
    expect(next.source.catalog.tools.length).toBe(world.source.catalog.tools.length);
    expect(next.info('one')).toMatchObject({ state: 'stopped', cached: true });
    expect(next.processes() + world.processes()).toBe(0);
    expect((await next.call('two/echo', { text: 'x' })).text).toBe('two: x');
    // The second session's servers have the first one's mark, since the definitions are the same.
    expect(world.processes('two')).toBe(1);
    expect(world.processes('one')).toBe(0);
    await until('the tools to be listed anew', () => next.info('two').cached !== true);
    await next.source.dispose();
  });

  it('whose entry has changed are listed again', async () => {
    await world.start(world.faulty('one'));
    const next = await restarted([world.faulty('one', undefined, [], { env: { LANG: 'de' } })]);
    expect(next.source.catalog.tools).toEqual([]);
    await next.ready();
    expect(next.tool('one/echo').id).toBe('one/echo');
    await next.source.dispose();
  });

  it('follow the configuration while they run', async () => {
    await world.start(world.faulty('one'), world.faulty('two'));
    const pid = (await world.call('two/pid')).text;
    world.definitions = [world.faulty('two'), world.faulty('three')];
    world.source.refresh();
    expect(world.source.catalog.servers.map((server) => server.name)).toEqual(['three', 'two']);
    await until('the server that is gone to end', () => world.processes('one') === 0);
    expect((await world.call('two/pid')).text).toBe(pid);
    await world.ready();
    expect(world.tool('three/echo').server).toBe('three');
  });

  it('run only in a trusted workspace, or once it becomes one', async () => {
    world.isTrusted = false;
    await world.start({ ...world.faulty('one'), label: '.mcp.json', differsIn: ['a.json', 'b.json'] });
    const source = 'from .mcp.json, defined differently in a.json, b.json';
    expect(world.info('one')).toMatchObject({ state: 'untrusted', source });
    expect(world.processes()).toBe(0);
    world.isTrusted = true;
    await world.ready();
    expect((await world.call('one/echo', { text: 'x' })).text).toBe('one: x');
  });

  it('are known to the next window if listed before this ended', async () => {
    const [catalog, seen] = [memoryFile(), memoryFile()];
    const windowOf = async ({ source }: TestWorld) => {
      const nothing = () => {};
      const cache = new CatalogCache(catalog, nothing, (server) => source.fingerprintOf(server));
      const hosts = new ProviderSwitch<'extension'>(
        () => ({ source, cache, seen: new SeenTools(seen, nothing) }),
        () => false,
      );
      await hosts.use('extension');
      return hosts;
    };
    const ready = (hosts: ProviderSwitch<'extension'>) =>
      hosts.whenReady({ timeoutMs: 30_000, signal: new AbortController().signal, onWait: () => {} });
    world.definitions = [world.faulty('one')];
    const first = await windowOf(world);
    await ready(first);
    await first.dispose();

    const next = new TestWorld();
    next.definitions = world.definitions;
    const second = await windowOf(next);
    const { byId } = await ready(second);
    expect([...byId.keys()]).toContain('one/echo');
    expect(world.processes()).toBe(0);
    await second.dispose();
  });

  it('that do not end when they are asked to are ended', async () => {
    await world.start(world.faulty('one', undefined, ['--stay']));
    await world.source.dispose();
    expect(world.processes()).toBe(0);
  });
});
