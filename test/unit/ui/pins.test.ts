import { expect, it } from 'vitest';
import { PinStore } from '../../../src/vscode/pinStore';
import { Memento } from '../shim/basics';

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
