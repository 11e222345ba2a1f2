import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServerInfo } from '../../../src/core/catalog/catalog';
import type { UnnamedTool } from '../../../src/core/catalog/tool';
import { CatalogCache } from '../../../src/tools/catalogCache';
import { makeTool } from '../core/turn/world';
import { memoryFile } from '../memoryFile';

const tool = (id: string, origin: UnnamedTool['origin'] = 'mcp'): UnnamedTool => {
  const [server = '', name = ''] = id.split('/');
  const { modelName, ...unnamed } = makeTool(server, name, 'what it does', { origin });
  return unnamed;
};

const server = (name: string, state: ServerInfo['state'] = 'running'): ServerInfo => ({ name, state, problems: [] });

let file: ReturnType<typeof memoryFile>;
let log: string[];
let cache: CatalogCache;

beforeEach(() => {
  vi.useFakeTimers();
  file = memoryFile();
  log = [];
  cache = new CatalogCache(file, (message) => log.push(message));
});
afterEach(() => vi.useRealTimers());

it('gives back the MCP tools that it was given', async () => {
  cache.save(
    [server('a'), server('__proto__'), server('vscode')],
    [tool('a/one'), tool('__proto__/two'), tool('vscode/run', 'vscode')],
  );
  await cache.flush();
  const loaded = await cache.load();
  expect(loaded.get('a')?.tools).toEqual([tool('a/one')]);
  expect(loaded.has('vscode')).toBe(false);
  expect(log).toEqual([]);
});

it('writes the last of several changes once', async () => {
  cache.save([server('a')], [tool('a/one')]);
  cache.save([server('a')], [tool('a/two')]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(file.writes).toBe(1);
  expect((await cache.load()).get('a')?.tools[0]?.id).toBe('a/two');
});

it('keeps a silent server’s tools until it leaves the configuration', async () => {
  cache.save([server('a'), server('b')], [tool('a/one'), tool('b/two')]);
  await cache.flush();
  cache.save([server('a', 'failed'), server('b')], [tool('b/three')]);
  await cache.flush();
  const loaded = await cache.load();
  expect([...loaded.values()].flatMap(({ tools }) => tools).map((each) => each.id)).toEqual(['a/one', 'b/three']);
  cache.save([server('b')], [tool('b/three')]);
  await cache.flush();
  expect((await cache.load()).has('a')).toBe(false);
});

it("keeps a server's fingerprint beside its tools, until it changes", async () => {
  let fingerprint = 'one';
  const marked = new CatalogCache(
    file,
    (message) => log.push(message),
    () => fingerprint,
  );
  marked.save([server('a')], [tool('a/one')]);
  await marked.flush();
  expect((await marked.load()).get('a')?.fingerprint).toBe('one');
  fingerprint = 'two';
  marked.save([server('a', 'stopped')], []);
  await marked.flush();
  expect((await marked.load()).has('a')).toBe(false);
});

it('keeps all that a server says of a tool', async () => {
  const full = {
    ...tool('a/one'),
    title: 'One',
    outputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    examples: [{ args: { a: 'x' } }],
  };
  cache.save([server('a')], [full]);
  await cache.flush();
  expect((await cache.load()).get('a')?.tools).toEqual([full]);
});

it('is empty, and silent, if there is no file', async () => {
  expect((await cache.load()).size).toBe(0);
  expect(log).toEqual([]);
});

it.each(['', '{', '[]', '{"version": 0, "servers": {}}', '{"version": 4, "servers": {"a": {"tools": [{"name": 3}]}}}'])(
  'drops %s and says so',
  async (bad) => {
    file.text = bad;
    expect((await cache.load()).size).toBe(0);
    expect(log[0]).toContain('dropped');
  },
);

it('survives a disk that takes nothing', async () => {
  const full = new CatalogCache(
    { read: () => Promise.reject(new Error('gone')), write: () => Promise.reject(new Error('full')) },
    (message) => log.push(message),
  );
  full.save([], []);
  await full.flush();
  expect((await full.load()).size).toBe(0);
  expect(log).toHaveLength(2);
});
