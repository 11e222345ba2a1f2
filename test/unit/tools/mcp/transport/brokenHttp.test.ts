import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveInTest } from '../serve';
import { TestWorld, until } from '../world';

/** The server's reaction to a call; `id` is the request's. */
type Answer = (response: ServerResponse, id: unknown) => void;

let world: TestWorld;
/** Number of calls whose connection is open. */
let open: number;
let called: number;
/** The reactions to a call, and to a client that asks for the rest of its events. */
let answer: Answer;
let resumed: Answer;
beforeEach(async () => {
  world = new TestWorld();
  open = 0;
  called = 0;
  resumed = (response) => response.writeHead(405).end();
  const origin = await serveInTest(async (request, response) => {
    if (request.method === 'GET')
      return request.headers['last-event-id'] ? resumed(response, undefined) : response.writeHead(405).end();
    if (request.method !== 'POST') return response.writeHead(200).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const json = (result: unknown) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    const { protocolVersion } = params ?? {};
    if (method === 'initialize')
      return json({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'web', version: '1' } });
    if (method === 'tools/list') return json({ tools: [{ name: 'do', inputSchema: { type: 'object' } }] });
    if (method !== 'tools/call') return response.writeHead(400).end();
    called++;
    open++;
    response.on('close', () => open--);
    answer(response, id);
  });
  await world.start(world.server('web', { type: 'http', url: `${origin}/mcp` }));
});
afterEach(() => world.source.dispose());

const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (id: unknown) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })}\n\n`;
const RESUMABLE = 'id: 1\nretry: 10\ndata: \n\n';
const MEGABYTE = Buffer.alloc(2 ** 20, ' ');
function endless(to: Writable, goesOn = () => !to.destroyed): void {
  if (goesOn()) to.write(MEGABYTE, () => setImmediate(endless, to, goesOn));
}
const MAY_HAVE_RUN = /^web_do was cut off: .+ before it answered\. The call may have run all the same\.$/;

describe('a call over Streamable HTTP', () => {
  it.each<[string, Answer]>([
    ['whose stream is reset', (response) => stream(response).write(': hello\n\n', () => response.destroy())],
    ['whose stream ends without an answer', (response) => void stream(response).end(': hello\n\n')],
    [
      'whose answer is reset in its middle',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        response.write('{"jsonrpc":"2.0",', () => response.destroy());
      },
    ],
    ['whose stream holds a line without end', (response) => endless(stream(response))],
    ['whose answer has no end', (response) => endless(response.writeHead(200, { 'content-type': 'application/json' }))],
    [
      'whose answer has no end once it is unpacked',
      (response) => {
        const packed = createGzip();
        packed.pipe(response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }));
        endless(packed, () => !response.destroyed);
      },
    ],
    ['that a gateway gave up (504)', (response) => response.writeHead(504).end()],
    [
      'whose stream can be resumed, but nobody is there any more',
      (response) => {
        resumed = (again) => again.destroy();
        stream(response).end(RESUMABLE);
      },
    ],
    ['whose stream can be resumed, but not here', (response) => void stream(response).end(RESUMABLE)],
  ])('%s may have run, and is made once', async (_, how) => {
    answer = how;
    expect((await world.call('web/do')).text).toMatch(MAY_HAVE_RUN);
    expect(called).toBe(1);
  });

  it('that an error in a stream answers failed in its words', async () => {
    const error = { code: -32000, message: 'The database is down.' };
    answer = (response, id) => void stream(response).end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
    expect((await world.call('web/do')).text).toBe('web_do failed: The database is down.');
  });

  it('of a session that is over is repeated in a new one', async () => {
    // Each `AsyncLocalStorage` that is used adds a field to all later promises (until Node 24).
    const fieldsOfPromises = () => Object.getOwnPropertySymbols(Promise.resolve()).length;
    const fields = fieldsOfPromises();
    answer = (response, id) => {
      answer = (again, later) => void stream(again).end(event(later));
      response.writeHead(404).end(String(id));
    };
    expect((await world.call('web/do')).text).toBe('done');
    expect(called).toBe(2);
    expect(fieldsOfPromises()).toBe(fields);
  });

  it('is answered by the rest of a stream that broke', async () => {
    answer = (response, id) => {
      resumed = (again) => void stream(again).end(event(id));
      stream(response).end(RESUMABLE);
    };
    expect((await world.call('web/do')).text).toBe('done');
  });

  it('that was given up keeps no connection, whatever the server does', async () => {
    answer = () => {};
    const abort = new AbortController();
    const call = world.call('web/do', {}, abort.signal);
    await until('the call', () => open === 1);
    abort.abort();
    await call;
    await until('the end of its connection', () => open === 0);
    answer = (response, id) => void stream(response).end(event(id));
    expect((await world.call('web/do')).text).toBe('done');
  });
});
