import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mendedError } from '../../../../../src/tools/mcp/transport/serverError';
import { serveHttp } from '../serve';
import { TestWorld } from '../world';

/** Tool → the error that its call gets, and the text that the model gets. */
const ERRORS: { readonly [tool: string]: readonly [error: unknown, told: string | RegExp] } = {
  own_closed: [{ code: -32000, message: 'Connection closed' }, 'failed: Connection closed'],
  own_timeout: [{ code: -32001, message: 'Request timed out' }, 'failed: Request timed out'],
  last_of_servers: [{ code: -32099, message: 'Ninety-nine' }, 'failed: Ninety-nine'],
  invalid: [{ code: -32602, message: 'a is needed' }, 'failed: a is needed'],
  internal: [{ code: -32603, message: 'Internal error' }, 'failed: Internal error'],
  minus_one: [{ code: -1, message: 'minus one' }, 'failed: minus one'],
  zero: [{ code: 0, message: 'zero' }, 'failed: zero'],
  like_http: [{ code: 401, message: 'Your plan has no access' }, 'failed: Your plan has no access'],
  huge_code: [{ code: 1e21, message: 'huge' }, 'failed: huge'],
  fraction: [{ code: -32000.5, message: 'a fraction' }, 'failed: a fraction'],
  text_code: [{ code: 'EBAD', message: 'a text' }, 'failed: a text'],
  only_code: [{ code: -32000 }, 'failed: its server says no more than an error of code -32000.'],
  empty: [{ code: -32000, message: '' }, 'failed: its server says no more than an error of code -32000.'],
  only_text: ['just a text', 'failed: just a text'],
  strange: [{ reason: 'disk full' }, 'failed: {"reason":"disk full"}'],
  details: [
    { code: -32000, message: 'Failed', data: { reason: 'disk full' } },
    'failed: Failed ({"reason":"disk full"})',
  ],
  text_details: [{ code: -32000, message: 'Failed', data: 'disk is full' }, 'failed: Failed (disk is full)'],
  said_twice: [{ code: -32000, message: 'Failed: disk is full', data: 'disk is full' }, 'failed: Failed: disk is full'],
  megabyte: [{ code: -32000, message: 'x'.repeat(1_000_000) }, /^failed: x{100,}/],
};

const tools = Object.keys(ERRORS).map((name) => ({ name, inputSchema: { type: 'object' } }));
/** Answers as a server of both transports, without a library that would correct its messages. */
const reply = (request: { id: unknown; method: string; params?: { protocolVersion?: string; name?: string } }) => {
  const { id, method, params = {} } = request;
  const common = { jsonrpc: '2.0', id };
  if (method === 'initialize')
    return {
      ...common,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      },
    };
  if (method === 'tools/list') return { ...common, result: { tools } };
  const error = method === 'tools/call' ? ERRORS[params.name ?? '']?.[0] : { code: -32601, message: 'Unknown method' };
  return { ...common, error };
};
/** The same over stdio. A call of `mute` closes the server's output, but the server continues to run. */
const STDIO = `
const { createInterface } = require('node:readline');
const ERRORS = ${JSON.stringify({ ...ERRORS, megabyte: undefined })};
ERRORS.megabyte = [{ code: -32000, message: 'x'.repeat(1_000_000) }];
const tools = [...Object.keys(ERRORS), 'mute'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const reply = ${reply.toString()};
setInterval(() => {}, 1000);
createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  if (request.params?.name === 'mute') process.stdout.end();
  else process.stdout.write(JSON.stringify(reply(request)) + '\\n');
});`;

describe('an error that a server answers with', () => {
  const world = new TestWorld();
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const http = await serveHttp(async (request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      let body = '';
      for await (const chunk of request) body += chunk;
      const message = JSON.parse(body);
      if (message.id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply(message)));
    });
    stop = http.stop;
    await world.start(
      world.server('stdio', { command: process.execPath, args: ['-e', STDIO] }),
      world.server('http', { type: 'http', url: `${http.origin}/mcp` }),
    );
  });
  afterAll(async () => {
    await world.source.dispose();
    await stop();
  });

  it.each(
    Object.entries(ERRORS).flatMap(([name, [, told]]) => ['stdio', 'http'].map((server) => ({ name, server, told }))),
  )('is told in its words: $name over $server', async ({ name, server, told }) => {
    const { outcome, text } = await world.call(`${server}/${name}`);
    const words = text.replace(`${server}_${name} `, '');
    expect(outcome).toBe('failed');
    if (typeof told === 'string') expect(words).toBe(told);
    else expect(words).toMatch(told);
    expect(text.length).toBeLessThan(3_000);
  });

  it('is none if it closes its output: the call may have run', async () => {
    expect((await world.call('stdio/mute')).text).toMatch(
      /was cut off: its server stopped before it answered\. The call may have run all the same\.$/,
    );
    expect((await world.call('stdio/zero')).text).toContain('zero');
  });
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
