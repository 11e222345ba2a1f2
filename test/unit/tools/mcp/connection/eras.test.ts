import path from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modernServer } from '../../../../fixtures/eraServer.mjs';
import { serveInTest } from '../serve';
import { TestWorld, until } from '../world';

const ERA_SERVER = path.resolve(import.meta.dirname, '../../../../fixtures/eraServer.mjs');

let world: TestWorld;
let hasGrown: boolean;
/** How long the tools of the HTTP server are valid, in milliseconds, as it reports. */
let ttlMs: number;
beforeEach(() => {
  world = new TestWorld();
  hasGrown = false;
  ttlMs = 0;
});
afterEach(() => world.source.dispose());

async function followProcess(kind: string): Promise<void> {
  await world.start(world.server('era', { command: process.execPath, args: [ERA_SERVER, kind] }));
}

/**
 * Serves the modern server over HTTP. Returns the headers of each request and a function that publishes a changed list.
 */
async function followHttp() {
  const seen: { readonly [name: string]: unknown }[] = [];
  const handler = createMcpHandler(
    () => {
      const server = modernServer({ 'tools/list': { ttlMs, cacheScope: 'private' } });
      if (hasGrown) server.registerTool('grown', {}, async () => ({ content: [] }));
      return server;
    },
    { legacy: 'reject' },
  );
  const handle = toNodeHandler(handler);
  const origin = await serveInTest((request, response) => {
    seen.push(request.headers);
    void handle(request, response);
  });
  await world.start(world.server('era', { type: 'http', url: `${origin}/mcp` }));
  return { seen, handler };
}

describe('a server that speaks only the revision of July 2026', () => {
  it.each([
    ['stdio', () => followProcess('modern')],
    ['HTTP', () => followHttp()],
  ])('is listed and called over %s', async (_, follow) => {
    await follow();
    expect(world.info('era').state).toBe('running');
    expect((await world.call('era/greet')).text).toBe('Hello');
  });

  it.each([
    ['stdio', () => followProcess('modern')],
    ['HTTP', () => followHttp()],
  ])('has its question answered by the user over %s', async (_, follow) => {
    await follow();
    const asked: unknown[] = [];
    world.ask = async (server, form) => {
      asked.push(server, form.message);
      return { action: 'accept', content: { name: 'Ada' } };
    };
    expect((await world.call('era/elicit')).text).toBe('Hello, Ada');
    expect(asked).toEqual(['era', 'Who are you?']);
  });

  it('is listed again when its tools change', async () => {
    const { handler } = await followHttp();
    hasGrown = true;
    handler.notify.toolsChanged();
    await until('the new tool', () => world.source.refresh().byId.has('era/grown'));
  });

  it.each([
    ['an hour', 3_600_000, 1],
    ['no time', 0, 2],
  ])('whose list holds for %s is started again', async (_, holds, lists) => {
    ttlMs = holds;
    const { seen } = await followHttp();
    const count = () => seen.filter((headers) => headers['mcp-method'] === 'tools/list').length;
    await until('the server to rest', () => world.info('era').state === 'stopped');
    expect((await world.call('era/greet')).text).toBe('Hello');
    await world.ready();
    await until('all lists', () => count() === lists);
    expect(count()).toBe(lists);
  });

  it('is listed again with a call once its list no longer holds', async () => {
    ttlMs = 50;
    await followHttp();
    hasGrown = true;
    await new Promise((resolve) => setTimeout(resolve, ttlMs));
    await world.call('era/greet');
    await until('the new tool', () => world.source.refresh().byId.has('era/grown'));
  });

  it('gets the headers that it requires over HTTP', async () => {
    const { seen } = await followHttp();
    await world.call('era/greet');
    expect(seen.at(-1)).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'greet' });
  });
});

describe('an older server over stdio that does not know how to be asked for its revisions', () => {
  it.each(['ending', 'silent'])('that is %s still works', async (kind) => {
    await followProcess(kind);
    expect(world.info('era').state).toBe('running');
    expect((await world.call('era/greet')).text).toBe('Hello');
  });
});
