import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { removeDataOfRemovedFeatures } from '../../../src/vscode/removedFeatures';
import { StoredData } from '../../../src/vscode/storedData';
import { makeFolder } from '../folder';
import { Memento, Uri } from '../shim/basics';
import { host, resetHost } from '../shim/host';

it('what features that are gone have stored is removed, and nothing else', async () => {
  resetHost();
  const data = makeFolder();
  const [globalState, workspaceState] = [new Memento(), new Memento()];
  const stored = new StoredData({
    secrets: host.secrets,
    globalState: Object.assign(globalState, { setKeysForSync: () => {} }),
    workspaceState,
    storageUri: Uri.file(data) as unknown as vscode.Uri,
    globalStorageUri: Uri.file(data) as unknown as vscode.Uri,
    extension: { id: 'publisher.name' },
  });
  await stored.memento.update('openedExports', ['file:///a.json']);
  await stored.memento.update('pins', { tools: {} });
  await stored.ofUser.update('searchWordsModel', 'v/m');
  await stored.ofUser.update('starts', []);
  for (const key of ['agentFiles.changes', 'anthropic']) await host.secrets.store(key, '{}');
  for (const name of ['searchWords.json', 'compiled', 'turns.json']) await stored.file(name).write('{}');
  const warnings: string[] = [];
  for (let start = 0; start < 2; start++) await removeDataOfRemovedFeatures(stored, (text) => warnings.push(text));
  expect([workspaceState.keys(), globalState.keys(), await host.secrets.keys(), await readdir(data)]).toEqual([
    ['pins'],
    ['starts'],
    ['anthropic'],
    ['turns.json'],
  ]);
  expect(warnings).toEqual([]);
  const remove = () => Promise.reject(new Error('read-only'));
  const broken = { memento: stored.memento, ofUser: stored.ofUser, removeSecret: async () => {}, remove };
  await removeDataOfRemovedFeatures(broken, (text) => warnings.push(text));
  expect(new Set(warnings)).toEqual(new Set(['Data of an earlier version can’t be removed: read-only']));
});
