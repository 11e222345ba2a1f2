import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolId } from '../../../../../src/core/catalog/tool';
import { readServerTools } from '../../../../../src/tools/mcp/lists/serverTools';
import { TestWorld } from '../world';

const SERVER = path.resolve(import.meta.dirname, '../../../../fixtures/listedServer.mjs');
let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});
afterEach(() => world.source.dispose());

/** Starts servers by name, each with its tools. */
async function start(servers: { readonly [name: string]: readonly string[] }) {
  const definitions = Object.entries(servers).map(([name, tools]) =>
    world.server(name, {
      command: process.execPath,
      args: [SERVER, name, JSON.stringify(tools.map((tool) => ({ name: tool }))), world.mark],
    }),
  );
  await world.start(...definitions);
}

it('a call reaches its own server if another splits its names elsewhere', async () => {
  await start({ acme: ['pay/charge'], 'acme/pay': ['charge'] });
  expect(world.source.catalog.tools).toHaveLength(2);
  expect((await world.call(toolId('acme', 'pay/charge'))).text).toBe('acme: pay/charge');
  expect((await world.call(toolId('acme/pay', 'charge'))).text).toBe('acme/pay: charge');
  expect(world.source.catalog.byModelName.size).toBe(2);
  expect(new Set(world.source.catalog.tools.map(({ invokeName }) => invokeName)).size).toBe(2);
});

it('leaves out the second of two tools that nest too deeply', () => {
  const deep = (): unknown => JSON.parse(`{"name":"a","x":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}`);
  const long = { name: 'l'.repeat(9_000), inputSchema: {} };
  const listed = [deep(), deep(), { name: 'b' }, long, { ...long, title: 'other' }];
  const { tools, problems } = readServerTools('x', listed, false);
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b', expect.stringMatching(/^l{128}_/)]);
  expect(problems[0]).toContain('Two of its tools are called a.');
  expect(problems[1]).toMatch(/Two of its tools are called l{128}_\w{8}\./);
});
