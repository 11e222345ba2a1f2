import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UnnamedTool } from '../../../../src/core/catalog/tool';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import type { ConfiguredServer } from '../../../../src/tools/configuredServer';
import type { ListedTool } from '../../../../src/tools/toolOrigin';
import { type VscodeToolApi, VscodeToolProvider } from '../../../../src/tools/vscode/vscodeToolProvider';
import { makeTool } from '../../core/turn/world';

const listed = (server: string, name: string, inputSchema: object = { type: 'object' }): ListedTool => ({
  name: `mcp_${server}_${name}`,
  description: name,
  inputSchema,
  tags: ['mcp'],
  fullReferenceName: `${server}/${name}`,
});
const server = (name: string): ConfiguredServer => ({ name, alwaysLoad: false, source: 'file:///mcp.json' });
const cachedTool = (id: string): UnnamedTool => {
  const [server = '', name = ''] = id.split('/');
  const { modelName, ...tool } = makeTool(server, name, 'from before');
  return tool;
};

/** A VS Code whose state the test sets. */
class FakeHost implements VscodeToolApi {
  tools: ListedTool[] = [];
  configured: readonly ConfiguredServer[] = [];
  isTrusted = true;
  autostarts = true;
  starts: string[] = [];
  endStart: () => void = () => {};
  failStart: (error: Error) => void = () => {};
  listTools = () => [...this.tools];
  configuredServers = () => this.configured;
  settings: Settings = DEFAULT_SETTINGS;
  exampleRules = () => this.settings.examples;
  trusted = () => this.isTrusted;
  autostart = () => this.autostarts;
  startServers(asked: string, only?: string): Promise<void> {
    this.starts.push(only === undefined ? asked : `${asked}: ${only}`);
    return new Promise((resolve, reject) => {
      this.endStart = resolve;
      this.failStart = reject;
    });
  }
}

let host: FakeHost;
let source: VscodeToolProvider;
let secrets: KnownSecrets;
let log: string[];
const states = () => Object.fromEntries(source.catalog.servers.map((each) => [each.name, each.state]));
const endStart = (ms = 2000) => {
  host.endStart();
  return vi.advanceTimersByTimeAsync(ms);
};
/** Lists these tools, and looks for them. */
const list = (...tools: ListedTool[]) => {
  host.tools = tools;
  return source.refresh();
};
/** The start of all servers, over whose end time passes. */
const start = () => {
  void source.startServers('byUser');
  return endStart();
};
const ids = () => source.catalog.tools.map((tool) => tool.id);
const ready = (
  timeoutMs = 10_000,
  signal = new AbortController().signal,
  onWait: (names: readonly string[]) => void = () => {},
) => source.whenReady({ timeoutMs, signal, onWait });

beforeEach(() => {
  vi.useFakeTimers();
  host = new FakeHost();
  host.configured = [server('a')];
  log = [];
  secrets = new KnownSecrets().with(['planted-secret-1']);
  source = new VscodeToolProvider(host, (message) => log.push(message), secrets);
});
afterEach(() => {
  source.dispose();
  vi.useRealTimers();
});

describe('refresh', () => {
  it('removes secrets from definitions, but leaves the names for calls', () => {
    const properties = { x: { description: 'planted-secret-1', default: 'x planted-secret-1' } };
    const schema = { type: 'object', properties };
    const told = { ...listed('a', 'planted-secret-1', schema), description: 'Knows planted-secret-1' };
    const { tools } = list(told);
    expect(tools[0]).toMatchObject({
      invokeName: told.name,
      description: 'Knows [secret]',
      inputSchema: { properties: { x: { description: '[secret]', default: 'x [secret]' } } },
    });
    expect(list(told, listed('a', 'other')).tools[1]).toBe(tools[0]);
    expect(list({ ...told, description: 'Anew planted-secret-1' }).tools[0]?.description).toBe('Anew [secret]');
  });

  it('removes a secret that is learnt later from listed tools', () => {
    const { tools } = list({ ...listed('a', 'one'), description: 'Knows planted-secret-2' });
    expect(tools[0]?.description).toBe('Knows planted-secret-2');
    secrets.add('planted-secret-2');
    expect(source.refresh().tools[0]?.description).toBe('Knows [secret]');
  });

  it('searches a tool for secrets once, though schemas come again', () => {
    const redactIn = vi.spyOn(secrets, 'redactIn');
    list(listed('a', 'one'), listed('a', 'two'));
    expect(list(...structuredClone(host.tools), listed('a', 'three')).tools).toHaveLength(3);
    expect(redactIn).toHaveBeenCalledTimes(3);
  });

  it('leaves catalog and revision alone while nothing changes', () => {
    const first = list(listed('a', 'one'));
    expect(source.refresh()).toBe(first);
    expect(first.revision).toBe(1);
  });

  it('takes equal schemas in new objects for no change', () => {
    const huge = () => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }])),
    });
    const first = list(listed('a', 'huge', huge()));
    const stringify = vi.spyOn(JSON, 'stringify');
    expect(list(listed('a', 'huge', huge()))).toBe(first);
    expect(stringify).not.toHaveBeenCalled();
  });

  it('tells listeners of a change, once each', () => {
    const heard: number[] = [];
    const stop = source.onDidChange((catalog) => heard.push(catalog.tools.length));
    list(listed('a', 'one'));
    source.refresh();
    list(listed('a', 'one', { type: 'object', properties: { x: {} } }));
    stop();
    list();
    expect(heard).toEqual([1, 1]);
  });

  it('notices late, changed and vanished tools on its own', () => {
    source.follow();
    expect(states()).toEqual({ a: 'stopped' });
    host.tools = [listed('a', 'one')];
    vi.advanceTimersByTime(2000);
    expect([states(), ids()]).toEqual([{ a: 'running' }, ['a/one']]);
    host.tools = [];
    vi.advanceTimersByTime(2000);
    expect([states(), ids()]).toEqual([{ a: 'stopped' }, []]);
  });

  it('forgets a server that is taken out of the configuration', () => {
    list(listed('a', 'one'));
    host.configured = [];
    expect(list().servers).toEqual([]);
  });

  it('calls servers of an untrusted workspace untrusted', () => {
    host.isTrusted = false;
    source.refresh();
    expect(states()).toEqual({ a: 'untrusted' });
  });
});

describe('whenReady', () => {
  it('starts the servers and waits until they have listed their tools', async () => {
    host.configured = [server('a'), server('b')];
    const waits: (readonly string[])[] = [];
    const wait = ready(10_000, new AbortController().signal, (names) => waits.push(names));
    await vi.advanceTimersByTimeAsync(500);
    host.tools = [listed('a', 'one')];
    await vi.advanceTimersByTimeAsync(500);
    host.tools = [listed('a', 'one'), listed('b', 'two')];
    await endStart(1500);
    const catalog = await wait;
    expect(host.starts).toEqual(['byQuestion']);
    expect(catalog.tools).toHaveLength(2);
    expect(waits).toEqual([['a', 'b'], ['b'], []]);
  });

  it('gives up when time is over, though the clock is set back', async () => {
    host.configured = [server('slow')];
    const wait = ready(3000);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(3000);
    await wait;
    expect(states()).toEqual({ slow: 'starting' });
  });

  it('is not held up again by a server that never came', async () => {
    host.configured = [server('slow'), server('late')];
    const first = ready(3000);
    await vi.advanceTimersByTimeAsync(3000);
    await first;
    const started = Date.now();
    await ready(3000);
    expect(Date.now()).toBe(started);
  });

  it('doesn’t wait for a server known from the last session', async () => {
    host.configured = [server('known')];
    source.useCached(new Map([['known', { tools: [cachedTool('known/one')] }]]));
    const started = Date.now();
    const catalog = await ready();
    expect(Date.now()).toBe(started);
    expect(catalog.tools.map((tool) => tool.id)).toEqual(['known/one']);
    expect(host.starts).toEqual(['byQuestion']);
  });

  it('ends at once when cancelled', async () => {
    host.configured = [server('slow')];
    const abort = new AbortController();
    const wait = ready(10_000, abort.signal);
    await vi.advanceTimersByTimeAsync(100);
    const timers = vi.getTimerCount();
    abort.abort();
    expect(vi.getTimerCount()).toBe(timers - 1);
    await wait;
  });

  it('neither waits for a failed server nor restarts it each question', async () => {
    host.configured = [server('broken')];
    const wait = ready();
    for (const starts of [1, 2, 3]) {
      expect(states()).toEqual({ broken: 'starting' });
      expect(host.starts).toHaveLength(starts);
      await endStart(5000);
    }
    await wait;
    expect(states()).toEqual({ broken: 'failed' });
    await ready();
    expect(host.starts).toHaveLength(3);
  });

  it('asks once about servers that the user refuses', async () => {
    void source.startServers('byUser');
    for (const _ of [1, 2, 3]) await endStart(5000);
    expect(host.starts).toEqual(['byUser', 'byQuestion', 'byQuestion']);
  });

  it('starts once if a server has tools then', async () => {
    host.configured = [server('a'), server('broken')];
    const wait = ready();
    host.tools = [listed('a', 'add')];
    await endStart();
    await wait;
    expect([host.starts.length, states()]).toEqual([1, { a: 'running', broken: 'failed' }]);
  });

  it.each([
    ['a.b', 'a_b', 'a.b'],
    ['a b', 'a_b', undefined],
  ])('knows whether a running server %s takes the names of %s’s tools', async (one, other, namesTakenBy) => {
    host.configured = [server(one), server(other)];
    host.tools = [listed(one, 'add')];
    await start();
    const failed = source.catalog.servers.find(({ name }) => name === other);
    expect([failed?.state, failed?.namesTakenBy]).toEqual(['failed', namesTakenBy]);
    expect(failed?.detail?.includes('rename one')).toBe(namesTakenBy !== undefined);
  });

  it('calls a server failed that has not answered in 30 seconds', async () => {
    host.configured = [server('slow')];
    void source.startServers('byUser');
    source.follow();
    await vi.advanceTimersByTimeAsync(32_000);
    expect(source.catalog.servers[0]).toMatchObject({ state: 'failed', detail: expect.stringContaining('30 seconds') });
    host.tools = [listed('slow', 'one')];
    await vi.advanceTimersByTimeAsync(2000);
    expect(states()).toEqual({ slow: 'running' });
  });

  it('starts a server that was added after the first question', async () => {
    const first = ready();
    host.tools = [listed('a', 'one')];
    await endStart();
    await first;
    host.configured = [server('a'), server('b')];
    void ready();
    expect(host.starts).toHaveLength(2);
    expect(states()).toEqual({ a: 'running', b: 'starting' });
  });

  it('starts one server by wish, while another start never ends', async () => {
    host.configured = [server('a'), server('b')];
    void source.startServers('byUser');
    await vi.advanceTimersByTimeAsync(32_000);
    source.refresh();
    expect(states()).toEqual({ a: 'failed', b: 'failed' });
    void source.startServers('byUser', 'b');
    expect(host.starts).toEqual(['byUser', 'byUser: b']);
    expect(states()).toEqual({ a: 'failed', b: 'starting' });
    await endStart();
    expect(states()).toEqual({ a: 'failed', b: 'failed' });
  });

  it('starts no server of a name that there is none of', async () => {
    await source.startServers('byUser', '*');
    expect(host.starts).toEqual([]);
    expect(states()).toEqual({ a: 'stopped' });
  });

  it('keeps waiting, with a log line, if VS Code can’t start servers', async () => {
    const wait = ready();
    host.failStart(new Error('command not found'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(states()).toEqual({ a: 'starting' });
    host.tools = [listed('a', 'one')];
    await vi.advanceTimersByTimeAsync(500);
    expect((await wait).tools).toHaveLength(1);
    expect(log[0]).toContain('command not found');
  });

  it.each([{ isTrusted: false }, { autostarts: false }])('starts nothing with %o', async (given) => {
    Object.assign(host, given);
    await ready();
    expect(host.starts).toEqual([]);
  });
});

describe('useCached', () => {
  const cached = new Map([
    ['a', { tools: [cachedTool('a/old')] }],
    ['gone', { tools: [cachedTool('gone/tool')] }],
  ]);

  it('has the tools of configured servers until these answer', () => {
    source.useCached(cached);
    expect(ids()).toEqual(['a/old']);
    expect(source.catalog.servers).toMatchObject([{ name: 'a', state: 'stopped', cached: true }]);
    list(listed('a', 'new'));
    expect(ids()).toEqual(['a/new']);
    expect(source.catalog.servers[0]?.cached).toBeUndefined();
  });

  it('uses the settings’ examples as of now, never as the server’s', async () => {
    const own = { args: { from: 'server' } };
    const users = { args: { from: 'settings' } };
    host.settings = { ...DEFAULT_SETTINGS, examples: { ...DEFAULT_SETTINGS.examples, tools: { 'a/old': [users] } } };
    source.useCached(new Map([['a', { tools: [{ ...cachedTool('a/old'), examples: [own] }] }]]));
    vi.useRealTimers();
    await vi.waitFor(() => expect(source.catalog.tools[0]?.examples).toEqual([users, own]), 20_000);
    expect(source.given[0]?.examples).toEqual([own]);
    host.settings = DEFAULT_SETTINGS;
    expect(source.refresh().tools[0]?.examples).toEqual([own]);
  });

  it('drops them when the server fails or was stopped', async () => {
    source.useCached(cached);
    void source.startServers('byUser');
    expect(ids()).toEqual(['a/old']);
    await endStart();
    expect([states(), ids()]).toEqual([{ a: 'failed' }, []]);
  });
});
