import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serveInTest } from '../serve';
import { TestWorld, until } from '../world';

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});
afterEach(() => world.source.dispose());

/** A server of the SDK's own. */
function makeServer(): McpServer {
  const server = new McpServer({ name: 'sdk', version: '1.0.0' });
  server.registerTool('greet', { description: 'Greets', inputSchema: { who: z.string() } }, async ({ who }) => ({
    content: [{ type: 'text', text: `Hello, ${who}` }],
  }));
  server.registerTool('grow', { description: 'Adds a tool' }, async () => {
    server.registerTool('grown', { description: 'Was added' }, async () => ({ content: [] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  return server;
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): Promise<string> {
  return `${await serveInTest((request, response) => void handle(request, response))}/mcp`;
}

async function listenStreamable(seen: IncomingMessage[] = []): Promise<string> {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' });
  await makeServer().connect(transport);
  return listen((request, response) => {
    seen.push(request);
    return transport.handleRequest(request, response);
  });
}

function listenSse(heard: unknown[]): Promise<string> {
  let transport: SSEServerTransport | undefined;
  return listen(async (request, response) => {
    if (request.method === 'GET') {
      transport = new SSEServerTransport('/message', response);
      await makeServer().connect(transport);
      const { onmessage } = transport;
      transport.onmessage = (message) => heard.push(message) && onmessage?.(message);
      return undefined;
    }
    if (request.url?.startsWith('/message')) return transport?.handlePostMessage(request, response);
    return response.writeHead(404).end();
  });
}

async function use(value: { readonly [key: string]: unknown }): Promise<void> {
  await world.start(world.server('sdk', value));
}

function expectFailed(why: RegExp): void {
  expect(world.info('sdk')).toMatchObject({ state: 'failed', detail: expect.stringMatching(why) });
}

describe('a server of the SDK', () => {
  it('over Streamable HTTP is listed and called, with its own headers', async () => {
    const seen: IncomingMessage[] = [];
    world.inputs.set('token', 's3cret');
    await use({ type: 'http', url: await listenStreamable(seen), headers: { Authorization: 'Bearer ${input:token}' } });
    expect((await world.call('sdk/greet', { who: 'you' })).text).toBe('Hello, you');
    expect(seen.every((request) => request.headers.authorization === 'Bearer s3cret')).toBe(true);
    expect(world.log.join()).not.toContain('s3cret');
    await world.call('sdk/grow');
    await until('the new tool', () => world.source.catalog.byId.has('sdk/grown'));
    await world.source.dispose();
    expect(seen.at(-1)?.method).toBe('DELETE');
  });

  it.each(['http', 'sse'])('of the older transport is found out with type %s', async (type) => {
    const heard: unknown[] = [];
    await use({ type, url: await listenSse(heard) });
    expect(heard[0]).toMatchObject({ method: 'initialize' });
    expect((await world.call('sdk/greet', { who: 'you' })).text).toBe('Hello, you');
    await world.call('sdk/grow');
    await until('the new tool', () => world.source.catalog.byId.has('sdk/grown'));
  });

  it('that is not there is failed, with the reason', async () => {
    await use({ url: 'http://127.0.0.1:1/mcp' });
    expectFailed(/ECONNREFUSED|fetch failed/);
  });

  it('is started alone by the user', async () => {
    world.definitions = [world.faulty('one'), world.faulty('two')];
    world.source.follow();
    await world.source.startServers('byUser', 'two');
    expect([world.info('one').state, world.info('two').state]).toEqual(['stopped', 'running']);
    expect([world.processes('one'), world.processes('two')]).toEqual([0, 1]);
  });

  it('is asked for again by the user', async () => {
    await use({ command: 'no-such-program-anywhere' });
    expectFailed(/no-such-program-anywhere/);
    await world.source.startServers('byQuestion');
    expect(world.info('sdk').state).toBe('failed');
    world.definitions = [world.faulty('sdk')];
    await world.source.startServers('byUser');
    expect(world.info('sdk').state).toBe('running');
  });
});

describe('a server that sends its client elsewhere', () => {
  const headers = { Authorization: 'Bearer s3cret-token' };
  let heard: string[];
  let elsewhere: string;
  beforeEach(async () => {
    heard = [];
    elsewhere = await serveInTest((request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: endpoint\ndata: /message\n\n');
    });
  });
  const redirects = (status: number) =>
    listen(async (request, response) => response.writeHead(status, { location: `${elsewhere}${request.url}` }).end());
  const refused = (from: string) => {
    expectFailed(
      new RegExp(`${new URL(from).origin} redirects to ${elsewhere}\\. Nothing is sent there\\..*"url" in mcp\\.json`),
    );
    expect(heard).toEqual([]);
  };

  it.each(['http', 'sse'])('is failed, and its headers stay with its own address: %s', async (type) => {
    const url = await redirects(307);
    await use({ type, url, headers });
    refused(url);
  });

  it('fails if the older transport’s endpoint is elsewhere', async () => {
    const url = await listen(async (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`event: endpoint\ndata: ${elsewhere}/message\n\n`),
    );
    await use({ type: 'sse', url, headers });
    expectFailed(new RegExp(elsewhere));
    expect(heard).toEqual([]);
  });

  it('only when a tool is called fails that call', async () => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' });
    await makeServer().connect(transport);
    let calls = 0;
    const url = await listen(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const text = Buffer.concat(parts).toString();
      if (text.includes('tools/call')) {
        calls++;
        return response.writeHead(307, { location: `${elsewhere}/mcp` }).end();
      }
      return transport.handleRequest(request, response, text === '' ? undefined : JSON.parse(text));
    });
    await use({ type: 'http', url, headers });
    const run = await world.call('sdk/greet', { who: 'you' });
    expect(run.text).toMatch(/redirects to .* Nothing is sent there/);
    expect(calls).toBe(1);
    expect(heard).toEqual([]);
  });
});
