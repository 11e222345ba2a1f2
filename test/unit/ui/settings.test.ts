import { beforeEach, describe, expect, it } from 'vitest';
import { PinStore } from '../../../src/vscode/pinStore';
import { SettingsStore } from '../../../src/vscode/settings';
import { Memento } from '../shim/basics';
import { host, resetHost } from '../shim/host';

let strategies: string[];
let store: SettingsStore;
beforeEach(() => {
  resetHost();
  strategies = ['bm25', 'regex'];
  host.settings.user['toolsearch.strategy'] = 'mine';
  store = new SettingsStore(() => strategies);
});

describe('the settings store', () => {
  it('names a strategy that nobody has registered, until somebody does', () => {
    expect(store.current.strategy).toBe('auto');
    expect(store.missingStrategy()).toEqual({ name: 'mine', setting: 'toolsearch.strategy' });
    strategies.push('mine');
    const heard: string[] = [];
    store.onDidChange(({ strategy }) => heard.push(strategy));
    store.reload();
    expect(store.missingStrategy()).toBeUndefined();
    expect(heard).toEqual(['mine']);
  });

  it('keeps the user’s entries before a workspace’s many', () => {
    host.settings.user['toolsearch.limits.toolTimeouts'] = { 'slow/*': 5 };
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at, 9]));
    host.settings.workspace['toolsearch.limits.toolTimeouts'] = { ...many, 'slow/*': 5 };
    store.reload();
    expect(store.current.toolTimeouts).toMatchObject({ 'slow/*': 5 });
  });

  it('writes to the place of a value', async () => {
    await store.update('mode', 'on');
    expect(host.settings.user['toolsearch.mode']).toBe('on');
    host.settings.workspace['toolsearch.mode'] = 'off';
    await store.change('mode', (before) => (before === 'off' ? 'auto' : undefined));
    expect(host.settings.workspace['toolsearch.mode']).toBe('auto');
    expect(host.settings.user['toolsearch.mode']).toBe('on');
  });

  it('removes our user settings and leaves those of the workspace', async () => {
    Object.assign(host.settings.user, {
      'toolsearch.mode': 'on',
      'toolsearch.mcp.endpoint': true,
      'editor.fontSize': 12,
    });
    host.settings.workspace['toolsearch.mode'] = 'off';
    await store.resetUser();
    expect(host.settings.user).toEqual({ 'editor.fontSize': 12 });
    expect(host.settings.workspace).toEqual({ 'toolsearch.mode': 'off' });
  });
});

it('pins are kept with the workspace, and changes reported', async () => {
  const kept = new Memento();
  const store = new PinStore(kept);
  const heard: unknown[] = [];
  store.onDidChange((pins) => heard.push(pins));
  await store.set({ kind: 'tool', id: 'a/b' }, 'eager');
  await store.set({ kind: 'server', id: 'a' }, 'deferred');
  await store.set({ kind: 'tool', id: 'a/b' }, 'auto');
  expect(new PinStore(kept).current).toEqual({ tools: {}, servers: { a: 'deferred' } });
  expect(heard.at(-1)).toEqual(store.current);
  await store.choose('Web');
  await store.reset();
  expect(new PinStore(kept).current).toEqual({ tools: {}, servers: {}, set: 'Web' });
  await store.choose(undefined);
  expect(new PinStore(kept).current).toEqual({ tools: {}, servers: {} });
  expect(heard).toHaveLength(6);
});

it.each([['nonsense'], [{ tools: { 'a/b': 'sometimes', 'a/c': 'eager' }, servers: 7 }]])(
  'pins that were kept as %j are read as far as they are good',
  async (kept) => {
    const memento = new Memento();
    await memento.update('pins', kept);
    const { tools, servers } = new PinStore(memento).current;
    expect(tools['a/b']).toBeUndefined();
    expect(servers).toEqual({});
  },
);
