import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { PinStore } from '../../../src/vscode/pins';

/** What VS Code keeps with a workspace. */
function memento(kept?: unknown) {
  let value = kept;
  return {
    get: () => value,
    update: async (_: string, next: unknown) => {
      value = next;
    },
  } as unknown as vscode.Memento;
}

it('pins are kept with the workspace, and told of', async () => {
  const kept = memento();
  const store = new PinStore(kept);
  const heard: unknown[] = [];
  store.onDidChange((pins) => heard.push(pins));
  await store.set({ kind: 'tool', id: 'a/b' }, 'eager');
  await store.set({ kind: 'server', id: 'a' }, 'deferred');
  await store.set({ kind: 'tool', id: 'a/b' }, 'auto');
  expect(new PinStore(kept).current).toEqual({ tools: {}, servers: { a: 'deferred' } });
  expect(heard.at(-1)).toEqual(store.current);
  await store.reset();
  expect(new PinStore(kept).current).toEqual({ tools: {}, servers: {} });
  expect(heard).toHaveLength(4);
});

it.each([['nonsense'], [{ tools: { 'a/b': 'sometimes', 'a/c': 'eager' }, servers: 7 }]])(
  'pins that were kept as %j are read as far as they are good',
  (kept) => {
    const { tools, servers } = new PinStore(memento(kept)).current;
    expect(tools['a/b']).toBeUndefined();
    expect(servers).toEqual({});
  },
);
