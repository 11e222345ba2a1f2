import { afterEach, expect, it } from 'vitest';
import { mendedError } from '../../../../../src/tools/mcp/transport/serverError';
import { TestWorld } from '../world';

/** A server without a library that would correct its error. A call of `mute` closes its output, but it runs on. */
const STDIO = `
const NO = { error: { code: -32601, message: 'no' } };
const answers = {
  initialize: ({ protocolVersion }) => ({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } }),
  'tools/list': () => ({ result: { tools: ['odd', 'mute'].map((name) => ({ name, inputSchema: { type: 'object' } })) } }),
  'tools/call': () => ({ error: { code: 'EBAD', message: 'a text' } }),
};
setInterval(() => {}, 1000);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (params?.name === 'mute') process.stdout.end();
  else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method]?.(params) ?? NO) }) + '\\n');
});`;

const world = new TestWorld();
afterEach(() => world.source.dispose());

it('an odd error and a closed output over stdio are told apart', async () => {
  await world.start(world.server('stdio', { command: process.execPath, args: ['-e', STDIO] }));
  const told = [];
  for (const tool of ['odd', 'mute', 'odd']) told.push((await world.call(`stdio/${tool}`)).text);
  expect(told).toEqual([
    'stdio_odd failed: a text',
    'stdio_mute was cut off: its server stopped before it answered. The call may have run all the same.',
    'stdio_odd failed: a text',
  ]);
});

it('only a message with an odd error is mended', () => {
  for (const answer of [{ result: {}, error: null }, { result: {} }, { error: { code: 1, message: 'fine' } }])
    expect(mendedError({ jsonrpc: '2.0', id: 1, ...answer })).toBeUndefined();
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  for (const odd of [{ code: deep }, { message: 'odd', data: deep }])
    expect(mendedError({ id: 'a', error: { code: 'x', ...odd } })?.error.message).toContain('nests too deeply');
  expect(mendedError({ id: 'a', error: 'odd' })).toMatchObject({ id: 'a', error: { message: 'odd' } });
  expect(mendedError({ id: 1, method: 'x', error: 'odd' })).toBeUndefined();
});
