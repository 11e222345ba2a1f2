import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as netConnect } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentCall } from '../../../src/core/agents/agentTools';
import type { Endpoint, EndpointTools } from '../../../src/core/agents/endpointPort';
import { type ToolRun, toolMessage } from '../../../src/core/ports';
import { NO_PINS } from '../../../src/core/settings/pins';
import { openEndpoint } from '../../../src/endpoint/endpoint';
import { makeAgentTools } from '../core/agents/world';
import { type Answer, choices, chosen, filler, makeTool, ok, SETTINGS, schema, TestRunner } from '../core/turn/world';
import { TestWorld } from '../tools/mcp/world';

const TOKEN = 'a token of this test';
const TOOLS = [
  makeTool('math', 'echo', 'Echoes back its input', { inputSchema: schema({ message: { type: 'string' } }) }),
  makeTool('math', 'wait', 'Waits until it is given up'),
  ...filler('many', 100),
];

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ending.splice(0).reverse()) await end();
});

/** The endpoint over the tools for agents, whose calls this runner runs. */
async function open(
  { run = (tool, input) => ok(`${tool.id} ${JSON.stringify(input)}`) }: { readonly run?: Answer } = {},
  deps: Parameters<typeof makeAgentTools>[1] = {},
) {
  const { agent, ledger } = makeAgentTools(TOOLS, deps);
  const calls: AgentCall[] = [];
  const tools: EndpointTools = {
    definitions: () => agent.definitions(),
    guidance: () => agent.guidance(),
    answer: (call, signal) => {
      calls.push(call);
      return agent.answer(call, { runner: new TestRunner(run), asking: () => 'never' }, signal);
    },
  };
  const log: string[] = [];
  const endpoint = await openEndpoint({ tools, token: TOKEN, port: 0, version: '1.2', log: (line) => log.push(line) });
  ending.push(() => endpoint.close());
  return { endpoint, ledger, log, calls };
}

const headers = { Authorization: `Bearer ${TOKEN}` };

/** A client of either era, which is notified when the tools change. */
async function clientOf(era: Era, endpoint: Endpoint, name = 'a client') {
  const heard = bell();
  const options = {
    versionNegotiation: { mode: era === '2026' ? { pin: '2026-07-28' } : 'legacy' } as const,
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => heard.ring() } },
  };
  const made = new Client({ name, version: '0' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit: { headers } });
  await made.connect(transport);
  ending.push(() => made.close());
  return { client: made, transport, heard };
}
const calling = (name: string, args: object = {}) => ({ name: 'call_tool', arguments: { name, arguments: args } });
const WAIT = calling('math_wait');
/** A result that is this text. */
const saying = (text: unknown) => ({ content: [{ type: 'text', text }] });
const SEARCH = { name: 'search_tools', arguments: { queries: ['echo'] } };
const ECHOED = saying('math/echo {"message":"hi"}');
/** A client of an endpoint of its own. */
async function openFor(era: Era, ...how: Parameters<typeof open>) {
  const opened = await open(...how);
  return { ...opened, mcp: (await clientOf(era, opened.endpoint)).client };
}
const ERAS = ['2025', '2026'] as const;
type Era = (typeof ERAS)[number];

/** Sends a request as a program outside a browser can, with any headers. */
async function send(
  { port }: Endpoint,
  {
    method = 'POST',
    body = '',
    headers: more = {},
  }: { method?: string; body?: string; headers?: { [name: string]: string } },
) {
  const sent = httpRequest({ host: '127.0.0.1', port, path: '/mcp', method, headers: { ...headers, ...more } });
  // The endpoint doesn't read the body of a refused request, so writing the rest may fail.
  sent.on('error', () => {});
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return { status: response.statusCode as number, headers: response.headers as { [name: string]: string }, text };
}

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const greeting = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by hand', version: '0' } },
});

/** Greets as a client without a session does. */
const greetBy = (endpoint: Endpoint, more: { [name: string]: string } = {}) =>
  send(endpoint, { body: greeting, headers: { ...JSON_HEADERS, ...more } });

describe('a client', () => {
  it('is let in beside 110 connections that send half a request', async () => {
    const { endpoint } = await open();
    const strangers = Array.from({ length: 110 }, () => netConnect(endpoint.port, '127.0.0.1'));
    for (const socket of strangers) {
      socket.on('error', () => {});
      socket.write('POST /mcp HTTP/1.1\r\n');
      ending.push(async () => socket.destroy());
    }
    await Promise.all(strangers.slice(-10).map((socket) => once(socket, 'connect')));
    const { client: mcp } = await clientOf('2025', endpoint);
    expect((await mcp.listTools()).tools).toHaveLength(3);
  });

  it.each([
    ['search_tools', { queries: ['create an issue '.repeat(100_000)] }],
    ['search_tools', { queries: ['echo'], server: 'math'.repeat(100_000) }],
    ['search_tools', { queries: ['echo'], search_type: 'bm'.repeat(100_000) }],
    ['describe_tool', { names: ['create_issue '.repeat(100_000)] }],
    ['call_tool', { name: 'create_issue '.repeat(100_000), arguments: {} }],
  ])('gets a short answer to a long text for %s', async (name, args) => {
    const { mcp, ledger } = await openFor('2025');
    const answer = await mcp.callTool({ name, arguments: args });
    expect(JSON.stringify(answer).length).toBeLessThan(5_000);
    expect(Math.max(...ledger.events.map((event) => JSON.stringify(event).length))).toBeLessThan(25_000);
  });

  it.each(ERAS)('of %s lists, searches, reads and calls', async (era) => {
    const { endpoint, ledger } = await open();
    const { client: mcp } = await clientOf(era, endpoint, 'claude-code');
    expect(mcp.getServerVersion()).toMatchObject({ name: 'toolsearch-ide', version: '1.2' });
    expect(mcp.getInstructions()).toMatch(/^102 tools of many, math are behind search_tools/);
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search_tools', true],
      ['describe_tool', true],
      ['call_tool', false],
    ]);
    expect(await mcp.callTool(SEARCH)).toMatchObject(saying(expect.stringContaining('math_echo')));
    const described = await mcp.callTool({ name: 'describe_tool', arguments: { names: ['math_echo'] } });
    expect(described).toMatchObject(saying(expect.stringContaining('"message"')));
    expect(await mcp.callTool(calling('math_echo', { message: 'hi' }))).toMatchObject(ECHOED);
    const types = ['turnStarted', 'searched', 'discovered', 'callStarted', 'called'];
    expect(ledger.events.map(({ type }) => type)).toEqual(types);
    expect(ledger.events[0]).toMatchObject({ model: { vendor: 'mcp', name: 'claude-code' } });
  });

  it.each(ERAS)('of %s gets no tool if the chosen set is gone', async (era) => {
    const user = chosen(SETTINGS, { ...NO_PINS, set: 'Web' });
    const { mcp } = await openFor(era, {}, { services: { user } });
    expect(mcp.getInstructions()).toBeUndefined();
    const gone = expect.stringMatching(
      /chose, “Web”, isn't in toolsearch\.sets\. Ask them to run “Tool Search: Select Set”/,
    );
    for (const [name, args] of [
      ['search_tools', { queries: ['echo'] }],
      ['call_tool', { name: 'math_echo', arguments: { message: 'hi' } }],
      ['math_echo', { message: 'hi' }],
    ] as const)
      expect(await mcp.callTool({ name, arguments: args })).toMatchObject(saying(gone));
  });

  it.each(ERAS)('of %s gets images, documents, and failures as results', async (era) => {
    const parts: ToolRun['parts'] = [
      { type: 'image', mimeType: 'image/png', bytes: 3, data: 'QUFB' },
      { type: 'document', mimeType: 'application/pdf', bytes: 3, data: 'QUFB' },
      { type: 'omitted', mimeType: 'application/zip', bytes: 2048 },
    ];
    const { mcp } = await openFor(era, {
      run: async (tool) =>
        tool.name === 'echo' ? { outcome: 'ok', parts } : toolMessage('refused', 'The user said no.'),
    });
    expect((await mcp.callTool(calling('math_echo'))).content).toMatchObject([
      { type: 'image', mimeType: 'image/png', data: 'QUFB' },
      { type: 'resource', resource: { mimeType: 'application/pdf', blob: 'QUFB' } },
      { type: 'text', text: '[application/zip, 2048 bytes, not shown]' },
    ]);
    expect(await mcp.callTool(WAIT)).toMatchObject({ ...saying('The user said no.'), isError: true });
    expect(await mcp.callTool({ name: 'search_tools', arguments: {} })).toMatchObject({ isError: true });
  });

  it.each(ERAS)('of %s may call a found tool by its own name', async (era) => {
    const { mcp } = await openFor(era);
    expect(await mcp.callTool({ name: 'math_echo', arguments: { message: 'hi' } })).toMatchObject(ECHOED);
    const near = expect.stringContaining("There is no tool named 'math_ecko'. Nearest: math_echo");
    expect(await mcp.callTool({ name: 'math_ecko', arguments: {} })).toMatchObject({ ...saying(near), isError: true });
  });

  it.each(ERAS)('of %s cancels a call while it runs', async (era) => {
    const { mcp } = await openFor(era, { run: untilGivenUp });
    const abort = new AbortController();
    const call = mcp.callTool(WAIT, { signal: abort.signal });
    await running.next();
    abort.abort();
    await expect(call).rejects.toThrow();
    await givenUp.next();
  });

  it('has its call cancelled when its connection ends', async () => {
    const { endpoint } = await open({ run: untilGivenUp });
    const { transport } = await clientOf('2025', endpoint);
    const more = { ...JSON_HEADERS, ...headers, 'mcp-session-id': transport.sessionId ?? '' };
    const sent = httpRequest(endpoint.url, { method: 'POST', headers: more });
    sent.on('error', () => {});
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: WAIT }));
    await running.next();
    sent.destroy();
    await givenUp.next();
  });

  it.each(ERAS)('of %s does not see what another one found', async (era) => {
    const { endpoint, ledger } = await open();
    const [one, two] = await Promise.all([clientOf(era, endpoint, 'one'), clientOf(era, endpoint, 'two')]);
    await Promise.all([one.client.callTool(SEARCH), two.client.callTool(calling('math_echo'))]);
    const names = ledger.events.flatMap((event) => (event.type === 'turnStarted' ? [event.model.name] : []));
    expect(names.sort()).toEqual(['one', 'two']);
    expect(ledger.events.find(({ type }) => type === 'called')).toMatchObject({ withoutDiscovery: true });
  });

  it.each(ERAS)('of %s hears that the tools have changed', async (era) => {
    let codeMode: typeof SETTINGS.codeMode = 'off';
    const sandbox = { unavailable: undefined, run: () => Promise.reject(new Error('not asked for')) };
    const { endpoint } = await open(
      {},
      {
        services: { user: choices(() => ({ ...SETTINGS, codeMode })) },
        scripts: { sandbox, shapes: {} as never, kept: {} as never, redact: (text) => text },
      },
    );
    const { client: mcp, heard } = await clientOf(era, endpoint);
    expect((await mcp.listTools()).tools).toHaveLength(3);
    codeMode = 'on';
    // The client's stream may not be open yet, and a notification before that is lost.
    const telling = setInterval(() => endpoint.toolsChanged(), 20);
    await heard.next().finally(() => clearInterval(telling));
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('run_code');
  });

  it("of 2026 keeps its name's session until half an hour of silence", async () => {
    const { endpoint, calls } = await open();
    const call = async (name: string) => {
      const { client: mcp } = await clientOf('2026', endpoint, name);
      await mcp.callTool(SEARCH);
      return calls.at(-1);
    };
    const first = await call('one');
    expect(first).toMatchObject({ by: { client: 'one', onlyByName: true } });
    expect((await call('one'))?.chat).toBe(first?.chat);
    expect((await call('two'))?.chat).not.toBe(first?.chat);
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let calls = 0; calls < 2; calls++) {
      vi.setSystemTime(Date.now() + 29 * 60_000);
      expect((await call('one'))?.chat).toBe(first?.chat);
    }
    vi.setSystemTime(Date.now() + 31 * 60_000);
    expect((await call('one'))?.chat).not.toBe(first?.chat);
  });

  it('opens its stream again at once after it broke', async () => {
    const { endpoint } = await open();
    const greeted = await greetBy(endpoint);
    const session = greeted.headers['mcp-session-id'] ?? '';
    const stream = async () => {
      const stop = new AbortController();
      const more = { ...headers, Accept: 'text/event-stream', 'mcp-session-id': session };
      const { status } = await fetch(endpoint.url, { headers: more, signal: stop.signal });
      return { status, stop };
    };
    const first = await stream();
    expect((await stream()).status).toBe(409);
    first.stop.abort();
    await vi.waitFor(async () => {
      const { status, stop } = await stream();
      stop.abort();
      expect(status).toBe(200);
    }, 5_000);
  });

  it('is refused while all sessions have running calls', async () => {
    const { endpoint } = await open({ run: untilGivenUp });
    for (let i = 0; i < 32; i++) {
      const { client: mcp } = await clientOf('2025', endpoint);
      mcp.callTool(WAIT).catch(() => {});
      await running.next();
    }
    expect(await greetBy(endpoint)).toMatchObject({ status: 503, text: expect.stringContaining('busy') });
  });

  it('is forgotten when it ends its session or many others come', async () => {
    const { endpoint } = await open();
    const { client: first, transport } = await clientOf('2025', endpoint);
    const id = transport.sessionId;
    const list = (session: string | undefined) =>
      send(endpoint, {
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
        headers: { ...JSON_HEADERS, ...(session !== undefined && { 'mcp-session-id': session }) },
      });
    expect(await list(id)).toMatchObject({ status: 200, text: expect.stringContaining('search_tools') });
    await transport.terminateSession();
    expect(await list(id)).toMatchObject({ status: 404 });
    await first.close();
    const { transport: heard } = await clientOf('2025', endpoint);
    const { transport: quiet } = await clientOf('2025', endpoint);
    const greeted: unknown[] = [];
    for (let i = 0; i < 31; i++) {
      await list(heard.sessionId);
      greeted.push((await greetBy(endpoint)).headers['mcp-session-id']);
    }
    expect(await list(quiet.sessionId)).toMatchObject({ status: 404 });
    expect(await list(heard.sessionId)).toMatchObject({ status: 200 });
    expect(await list(undefined)).toMatchObject({ status: 400 });
    expect(await list(String(greeted[0]))).toMatchObject({ status: 200 });
  });
});

describe('the door', () => {
  it('needs the token, and lets no web page read it', async () => {
    const { endpoint } = await open();
    const refused = await greetBy(endpoint, { Authorization: '' });
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(refused.text).toContain('Copy MCP Server Entry');
    expect(await greetBy(endpoint, { Host: `evil.example:${endpoint.port}` })).toMatchObject({ status: 403 });
    const greeted = await greetBy(endpoint);
    expect(greeted).toMatchObject({ status: 200, text: expect.stringContaining('toolsearch-ide') });
    for (const { headers } of [refused, greeted])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('knows sessions by id: without one there is nothing to read', async () => {
    const { endpoint } = await open();
    const headers = { Accept: 'text/event-stream' };
    const unknown = { ...headers, 'mcp-session-id': 'x' };
    for (const method of ['GET', 'DELETE']) {
      expect(await send(endpoint, { method, headers })).toMatchObject({ status: 400 });
      expect(await send(endpoint, { method, headers: unknown })).toMatchObject({ status: 404 });
    }
    for (const method of ['PUT', 'TRACE', 'OPTIONS', 'HEAD', 'PROPFIND'])
      expect(await send(endpoint, { method })).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE' } });
    const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
    expect(await send(endpoint, { body: list, headers: JSON_HEADERS })).toMatchObject({ status: 400 });
  });

  it('refuses messages of megabytes, and what is not JSON', async () => {
    const { endpoint, log } = await open();
    const params = { text: 'x'.repeat(5_000_000) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(await send(endpoint, { body, headers: JSON_HEADERS })).toMatchObject({ status: 413 });
    expect(await send(endpoint, { body: '{', headers: JSON_HEADERS })).toMatchObject({ status: 400 });
    expect(await greetBy(endpoint)).toMatchObject({ status: 200 });
    expect(log.join()).not.toContain(TOKEN);
  });

  it('is on this machine alone', async () => {
    const { endpoint } = await open();
    const socket = netConnect({ host: '127.0.0.2', port: endpoint.port });
    const [outcome] = await Promise.race([once(socket, 'error'), once(socket, 'connect').then(() => ['connected'])]);
    socket.destroy();
    expect(outcome).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('closes with the window: running calls end, nobody gets in', async () => {
    const { endpoint, mcp } = await openFor('2025', { run: untilGivenUp });
    const call = mcp.callTool(WAIT);
    const failed = expect(call).rejects.toThrow();
    await running.next();
    await endpoint.close();
    await givenUp.next();
    await mcp.close();
    await failed;
    await expect(clientOf('2025', endpoint)).rejects.toThrow();
  });
});

it('our own MCP client refuses our own endpoint', async () => {
  const { endpoint } = await open();
  const world = new TestWorld();
  ending.push(() => world.source.dispose());
  world.definitions = [world.server('loop', { url: endpoint.url, headers: { Authorization: `Bearer ${TOKEN}` } })];
  world.source.follow();
  await world.source.startServers('byUser');
  expect(world.source.refresh()).toMatchObject({
    tools: [],
    servers: [{ state: 'failed', detail: expect.stringContaining('endpoint of Tool Search itself') }],
  });
});

it('a port that another program has is said to be taken', async () => {
  const { endpoint } = await open();
  const tools: EndpointTools = {
    definitions: () => [],
    guidance: () => '',
    answer: () => Promise.reject(new Error('not asked for')),
  };
  await expect(
    openEndpoint({ tools, token: TOKEN, port: endpoint.port, version: '0', log: () => {} }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

/** Signals an event that happens once. */
function bell() {
  let ring = () => {};
  const hung = () =>
    new Promise<void>((resolve) => {
      ring = resolve;
    });
  let rung = hung();
  return {
    ring: () => ring(),
    async next() {
      await rung;
      rung = hung();
    },
  };
}
const running = bell();
const givenUp = bell();

function untilGivenUp(_tool: unknown, _input: unknown, signal: AbortSignal): Promise<ToolRun> {
  running.ring();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      givenUp.ring();
      resolve(toolMessage('cancelled', 'Given up.'));
    });
  });
}
