import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWorld } from '../world';

const SAMPLE = path.resolve(import.meta.dirname, '../../../../../sample');
const module = (name: string) => path.join(SAMPLE, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');

/** `npm run sample` installs the servers. Without them, the other tests of this folder cover the client. */
describe.skipIf(!existsSync(module('server-everything')))('real servers', () => {
  const world = new TestWorld();
  beforeAll(async () => {
    world.definitions = [
      world.server('everything', { command: process.execPath, args: [module('server-everything')] }),
      world.server('memory', { command: process.execPath, args: [module('server-memory')] }),
      world.server('files', { command: process.execPath, args: [module('server-filesystem'), SAMPLE] }),
    ];
    world.source.follow();
    await world.ready(60_000);
  }, 60_000);
  afterAll(() => world.source.dispose());

  it('list their tools and run them', async () => {
    expect(world.source.catalog.servers.map(({ name, state }) => [name, state])).toEqual([
      ['everything', 'running'],
      ['files', 'running'],
      ['memory', 'running'],
    ]);
    expect((await world.call('everything/get-sum', { a: 2, b: 40 })).text).toContain('42');
    expect((await world.call('files/list_allowed_directories')).text).toContain(SAMPLE);
  });
});
