import path from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modernServer } from '../../../../fixtures/eraServer.mjs';
import { serveInTest } from '../serve';
import { TestWorld, until } from '../world';

const ERA_SERVER = path.resolve(import.meta.dirname, '../../../../fixtures/eraServer.mjs');

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});
afterEach(() => world.source.dispose());

async function followProcess(kind: string): Promise<void> {
  await world.start(world.server('era', { command: process.execPath, args: [ERA_SERVER, kind] }));
}

/** Serves the modern server over HTTP. Returns a function that adds a tool and says so. */
async function followHttp() {
  let hasGrown = false;
  const handler = createMcpHandler(
    () => {
      const server = modernServer();
      if (hasGrown) server.registerTool('grown', {}, async () => ({ content: [] }));
      return server;
    },
    { legacy: 'reject' },
  );
  const handle = toNodeHandler(handler);
  const origin = await serveInTest((request, response) => void handle(request, response));
  await world.start(world.server('era', { type: 'http', url: `${origin}/mcp` }));
  return () => {
    hasGrown = true;
    handler.notify.toolsChanged();
  };
}

describe('a server that speaks only the revision of July 2026', () => {
  it.each([
    ['stdio', () => followProcess('modern')],
    ['HTTP', () => followHttp()],
  ])('is listed and called over %s, and has its question answered', async (_, follow) => {
    await follow();
    expect(world.info('era').state).toBe('running');
    expect((await world.call('era/greet')).text).toBe('Hello');
    const asked: unknown[] = [];
    world.ask = async (server, form) => {
      asked.push(server, form.message);
      return { action: 'accept', content: { name: 'Ada' } };
    };
    expect((await world.call('era/elicit')).text).toBe('Hello, Ada');
    expect(asked).toEqual(['era', 'Who are you?']);
  });

  it('is listed again when its tools change', async () => {
    const grow = await followHttp();
    grow();
    await until('the new tool', () => world.source.refresh().byId.has('era/grown'));
  });
});

it.each(['ending', 'silent'])('an older server over stdio that is %s when asked still works', async (kind) => {
  await followProcess(kind);
  expect(world.info('era').state).toBe('running');
  expect((await world.call('era/greet')).text).toBe('Hello');
});
