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

const ANNOTATED = { title: 'hinted', readOnlyHint: true, destructiveHint: 'x', idempotentHint: false, other: true };
const SCHEMA = { type: 'object', properties: { x: { type: 'number' } } };
/** Entries of tools, of which none, one and several things are said, and some that can't be used. */
const ENTRIES: readonly unknown[] = [
  { name: 'plain', inputSchema: SCHEMA },
  { name: 'whole', title: 'T', description: 'D', inputSchema: SCHEMA, outputSchema: SCHEMA, annotations: ANNOTATED },
  { name: 'hinted', annotations: ANNOTATED, _meta: { examples: [{ x: 1 }], 'anthropic/examples': [{ x: 2 }] } },
  { name: 'odd', title: '', description: 7, outputSchema: 7, annotations: { title: 7, openWorldHint: null }, _meta: 7 },
  { name: 'loaded', _meta: { 'anthropic/alwaysLoad': true, 'anthropic/examples': [{ x: 2 }] } },
  { name: 'shown', inputSchema: SCHEMA, annotations: { title: '' }, _meta: { input_examples: [{ x: 3 }] } },
  ...[{ name: 'plain', inputSchema: SCHEMA }, { name: 'plain' }, { name: '' }, { name: 7 }, 7, null],
];

it('a list of tools is read as its file says', async () => {
  const told = [false, true].flatMap((alwaysLoad) => {
    const { tools, problems } = readServerTools('s', ENTRIES, alwaysLoad);
    return [...tools.map((tool) => JSON.stringify(tool)), ...problems, ''];
  });
  await expect(told.join('\n')).toMatchFileSnapshot('tools.txt');
});
