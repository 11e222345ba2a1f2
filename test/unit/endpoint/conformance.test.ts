// Sends the most important requests of the public conformance suite to the endpoint, without the suite. `npm run
// conformance` sends all of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConformanceServer } from '../../conformance/server';

let server: Awaited<ReturnType<typeof openConformanceServer>>;
beforeAll(async () => {
  server = await openConformanceServer();
});
afterAll(() => server.close());

const META = 'io.modelcontextprotocol/';
const META_2026 = {
  [`${META}protocolVersion`]: '2026-07-28',
  [`${META}clientInfo`]: { name: 'by hand', version: '0' },
  [`${META}clientCapabilities`]: {},
};

interface Answer {
  readonly status: number;
  readonly session: string | null;
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number };
}

/** Posts one message. The answer may be JSON or a stream with one event. */
async function post(method: string, params: object, headers: { [name: string]: string } = {}): Promise<Answer> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const body = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? (text || '{}'));
  return { status: response.status, session: response.headers.get('mcp-session-id'), ...body };
}

/** Posts as a client of the revision of 2026 does. */
const post2026 = (method: string, params: object = {}, headers: { [name: string]: string } = {}) =>
  post(
    method,
    { _meta: META_2026, ...params },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers },
  );

describe('the endpoint, in the revision of 2026', () => {
  it('is discovered without a session', async () => {
    const { status, session, result } = await post2026('server/discover');
    expect([status, session]).toEqual([200, null]);
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } });
  });

  it('says how long and for whom its list of tools holds', async () => {
    expect((await post2026('tools/list')).result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private' });
  });

  it.each([
    ['without its _meta', () => post2026('tools/list', { _meta: undefined }), -32602],
    [
      'without its version',
      () => post2026('tools/list', { _meta: { ...META_2026, [`${META}protocolVersion`]: undefined } }),
      -32602,
    ],
    [
      'of an unknown revision',
      () =>
        post(
          'tools/list',
          { _meta: { ...META_2026, [`${META}protocolVersion`]: '2099-01-01' } },
          { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' },
        ),
      -32022,
    ],
    ['whose header names another method', () => post2026('tools/list', {}, { 'Mcp-Method': 'tools/call' }), -32020],
    ['whose header names no tool', () => post2026('tools/call', { name: 'search_tools', arguments: {} }), -32020],
  ])('refuses a request %s', async (_, send, code) => {
    const { status, error } = await send();
    expect([status, error?.code]).toEqual([400, code]);
  });

  it.each(['initialize', 'ping', 'logging/setLevel'])('no longer knows %s', async (method) => {
    expect(await post2026(method)).toMatchObject({ status: 404, error: { code: -32601 } });
  });
});

describe('the endpoint, in the revision of 2025', () => {
  const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by hand', version: '0' } };

  it('keeps a session until it is deleted', async () => {
    const { session, result } = await post('initialize', greeting);
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'toolsearch-ide' } });
    const headers = { 'Mcp-Session-Id': session ?? '', 'MCP-Protocol-Version': '2025-11-25' };
    expect(await post('ping', {}, headers)).toMatchObject({ status: 200, result: {} });
    expect((await fetch(server.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await post('ping', {}, headers)).status).toBe(404);
  });

  it('answers an unknown revision with one that it speaks', async () => {
    const { result } = await post('initialize', { ...greeting, protocolVersion: '1999-01-01' });
    expect(result?.protocolVersion).toBe('2025-11-25');
  });
});
