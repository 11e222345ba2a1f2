import { createServer } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { AgentCall } from '../../../src/core/agents/agentTools';
import { ownDefinitions } from '../../../src/core/planning/ownTools';
import { toolMessage } from '../../../src/core/ports';
import { KnownSecrets } from '../../../src/core/util/knownSecrets';
import { openEndpoint } from '../../../src/endpoint/endpoint';
import { McpEndpoint, type McpEndpointDeps } from '../../../src/ui/agents/mcpEndpoint';
import { SETTINGS } from '../core/turn/world';
import { host, resetHost } from '../shim/host';

let wanted: boolean;
let learned: string[];
let log: string[];
let calls: AgentCall[];
const made: McpEndpoint[] = [];
beforeEach(() => {
  resetHost();
  wanted = true;
  learned = [];
  log = [];
  calls = [];
});
afterEach(async () => {
  for (const endpoint of made.splice(0)) {
    await endpoint.close();
    endpoint.dispose();
  }
});

/** An endpoint as a window makes it when it opens. */
function make(deps: Partial<McpEndpointDeps> = {}): McpEndpoint {
  const endpoint = new McpEndpoint({
    kept: { storage: host.secrets, workspace: 'here' },
    version: '1.2.3',
    tools: {
      definitions: () => ownDefinitions('bridge', SETTINGS),
      guidance: () => '',
      answer: async (call) => {
        calls.push(call);
        return toolMessage('ok', 'done');
      },
    },
    open: openEndpoint,
    wanted: () => wanted,
    secrets: { add: (secret) => learned.push(secret), redact: new KnownSecrets().with(['planted-secret-1']).redact },
    log: (line) => log.push(line),
    ...deps,
  });
  made.push(endpoint);
  return endpoint;
}

/** An endpoint that is open. */
async function open(deps: Partial<McpEndpointDeps> = {}): Promise<McpEndpoint> {
  const endpoint = make(deps);
  await endpoint.apply();
  return endpoint;
}

interface Entry {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}
const read = (address: McpEndpoint['address']): Entry => ({
  url: address?.url ?? '',
  headers: { Authorization: address?.authorization ?? '' },
});
const greet = async ({ url, headers }: Entry) => {
  const client = new Client({ name: 'a $(bug) client', version: '0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
};
const never = () => new Promise<never>(() => {});
const none = {} as vscode.CancellationToken;
const provider = () =>
  host.mcpProviders.get('toolsearch.endpoint') as vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>;

describe('the MCP endpoint of a window', () => {
  it('is a server of VS Code while on, with its token', async () => {
    const endpoint = make();
    let changes = 0;
    provider().onDidChangeMcpServerDefinitions?.(() => changes++);
    expect(await provider().provideMcpServerDefinitions(none)).toEqual([]);
    await endpoint.apply();
    const [definition] = (await provider().provideMcpServerDefinitions(none)) ?? [];
    if (!definition) throw new Error('Nothing is provided.');
    expect(definition).toMatchObject({ label: 'Tool Search', version: '1.2.3', headers: {} });
    const { url, headers } = read(endpoint.address);
    expect(definition.uri.toString()).toBe(url);
    expect(await provider().resolveMcpServerDefinition?.(definition, none)).toMatchObject({ headers });
    wanted = false;
    await endpoint.apply();
    expect(await provider().provideMcpServerDefinitions(none)).toEqual([]);
    expect(await provider().resolveMcpServerDefinition?.(definition, none)).toBeUndefined();
    expect(changes).toBe(2);
  });

  it('is reached with the copied entry, until it is turned off', async () => {
    const endpoint = await open();
    const entry = read(endpoint.address);
    expect(entry.headers.Authorization).toMatch(/^Bearer [\w-]{43}$/);
    const client = await greet(entry);
    await client.callTool({ name: 'call_tool', arguments: { name: 'math_echo', arguments: {} } });
    await client.callTool({ name: 'search_tools', arguments: { queries: ['echo'] } });
    expect(calls.map(({ tool, by }) => [tool, by])).toEqual([
      ['call_tool', { client: 'a $(bug) client' }],
      ['search_tools', { client: 'a $(bug) client' }],
    ]);
    expect(host.progress).toEqual([]);
    wanted = false;
    await endpoint.apply();
    expect(endpoint.address).toBeUndefined();
    await expect(greet(entry)).rejects.toThrow();
    await client.close();
  });

  it('tells clients only of tools that have changed', async () => {
    let told = 0;
    let strategy = 'bm25';
    const endpoint = await open({
      tools: { definitions: () => ownDefinitions('bridge', { strategy }), guidance: () => '', answer: never },
      open: async (options) => ({ ...(await openEndpoint(options)), toolsChanged: () => told++ }),
    });
    await endpoint.apply();
    expect(told).toBe(0);
    strategy = 'regex';
    await endpoint.apply();
    expect(told).toBe(1);
  });

  it('says who calls what while asking, and can be given up', async () => {
    const answer: McpEndpointDeps['tools']['answer'] = (_, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(toolMessage('cancelled', 'Given up.'))));
    const endpoint = await open({ tools: { definitions: () => [], guidance: () => '', answer } });
    const client = await greet(read(endpoint.address));
    const called = client.callTool({
      name: 'call_tool',
      arguments: { name: '[x](command:y)', arguments: { number: 7, key: 'planted-secret-1' } },
    });
    const shown = await vi.waitFor(() => host.progress[0] ?? Promise.reject(new Error('Nothing is shown.')), 10_000);
    expect(shown.title).toBe('MCP client a $(bug) client calls [x] (command:y) with {"number":7,"key":"[secret]"}');
    shown.giveUp();
    expect(await called).toMatchObject({ isError: true, content: [{ text: 'Given up.' }] });
    const script = client.callTool({ name: 'run_code', arguments: { title: 'x'.repeat(400), code: '1' } });
    const next = await vi.waitFor(() => host.progress[1] ?? Promise.reject(new Error('Nothing is shown.')), 10_000);
    expect(next.title).toBe(
      `MCP client a $(bug) client calls run_code with ${`{"title":"${'x'.repeat(400)}`.slice(0, 299)}…`,
    );
    next.giveUp();
    await script;
    await client.close();
  });

  it('says that a dialog is void once the client gave up', async () => {
    const aborted: AbortSignal[] = [];
    // As in VS Code's dialog, only the user's answer ends the wait.
    let press = () => {};
    const answer: McpEndpointDeps['tools']['answer'] = (_, signal) =>
      new Promise((resolve) => {
        aborted.push(signal);
        press = () => resolve(toolMessage('cancelled', 'Given up.'));
      });
    const endpoint = await open({ tools: { definitions: () => [], guidance: () => '', answer } });
    const client = await greet(read(endpoint.address));
    const call = (signal: AbortSignal) =>
      client
        .callTool({ name: 'call_tool', arguments: { name: 'math_[x](y)', arguments: {} } }, undefined, { signal })
        .catch(() => {});
    const leaving = new AbortController();
    const left = call(leaving.signal);
    await vi.waitFor(() => expect(aborted).toHaveLength(1), 10_000);
    leaving.abort();
    await vi.waitFor(() => expect(host.messages).toHaveLength(1), 10_000);
    expect(host.messages[0]).toMatch(
      /^MCP client a \$\(bug\) client cancelled its call of math_\[x\] \(y\)\. VS Code may still ask/,
    );
    expect(aborted[0]?.aborted).toBe(true);
    press();
    await left;
    // No client has given up if the endpoint itself is turned off.
    const ending = new AbortController();
    const cutOff = call(ending.signal);
    await vi.waitFor(() => expect(aborted).toHaveLength(2), 10_000);
    wanted = false;
    const off = endpoint.apply();
    await vi.waitFor(() => expect(aborted[1]?.aborted).toBe(true), 10_000);
    press();
    await off;
    ending.abort();
    await cutOff;
    expect(host.messages).toHaveLength(1);
    await client.close();
  });

  it('has the same entry after a reload, in secret storage alone', async () => {
    const before = await open();
    const entry = before.address;
    await before.close();
    expect(before.address).toBeUndefined();
    const after = await open();
    expect(after.address).toEqual(entry);
    expect(await host.secrets.keys()).toEqual(['mcpEndpoint.here']);
    const token = read(entry).headers.Authorization.slice('Bearer '.length);
    expect(new Set(learned)).toEqual(new Set([token]));
    expect(log.join('\n')).not.toContain(token);
  });

  it('differs by workspace, and is new if there is no workspace', async () => {
    const [here, there] = [make(), make({ kept: { storage: host.secrets, workspace: 'there' } })];
    await Promise.all([here.apply(), there.apply()]);
    expect(read(here.address).headers).not.toEqual(read(there.address).headers);
    await open({ kept: undefined });
    expect(await host.secrets.keys()).toEqual(['mcpEndpoint.here', 'mcpEndpoint.there']);
  });

  it('tries its former port a dozen times if it is in use', async () => {
    await open();
    for (const [code, tries] of [
      ['EADDRINUSE', 12],
      ['EACCES', 1],
    ] as const) {
      const ports: number[] = [];
      const pauses: number[] = [];
      const failing: McpEndpointDeps['open'] = async ({ port, ...rest }) => {
        ports.push(port);
        if (port !== 0) throw Object.assign(new Error(code), { code });
        return openEndpoint({ port, ...rest });
      };
      log = [];
      const endpoint = await open({ open: failing, pause: async (ms) => void pauses.push(ms) });
      expect(ports.slice(0, tries)).toEqual(Array(tries).fill(ports[0]));
      expect(ports.slice(tries)).toEqual(code === 'EACCES' ? [] : [0]);
      expect(pauses).toEqual(code === 'EACCES' ? [] : Array(12).fill(500));
      expect(log.at(-1)).toMatch(code === 'EACCES' ? /^The MCP endpoint failed: EACCES$/ : /listens at http/);
      expect(endpoint.address === undefined).toBe(code === 'EACCES');
    }
  });

  it('waits for its port while the window before still has it', async () => {
    const before = await open();
    const entry = before.address;
    const after = await open({ pause: () => before.close() });
    expect(after.address).toEqual(entry);
  });

  it('has a new token if another program took its port', async () => {
    const before = await open();
    const old = read(before.address);
    await before.close();
    const other = createServer().listen(Number(new URL(old.url).port), '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const after = await open({ pause: async () => {} });
    const now = read(after.address);
    expect(now.url).not.toBe(old.url);
    expect(now.headers).not.toEqual(old.headers);
    expect(log).toContainEqual(expect.stringMatching(/Another program has the port/));
    await after.close();
    const later = await open();
    expect(read(later.address)).toEqual(now);
    await new Promise((resolve) => other.close(resolve));
  });

  it('stays closed with the window, also while waiting for its port', async () => {
    await open();
    let closing: Promise<void> | undefined;
    const after = make({
      pause: async () => {
        closing ??= after.close();
      },
    });
    await after.apply();
    await closing;
    await after.apply();
    expect(after.address).toBeUndefined();
    expect(log.filter((line) => line.includes('new token'))).toEqual([]);
  });
});
