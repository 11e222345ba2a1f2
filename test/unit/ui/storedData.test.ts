import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { removeDataOfRemovedFeatures } from '../../../src/vscode/removedFeatures';
import { type StorageContext, StoredData } from '../../../src/vscode/storedData';
import { makeFolder } from '../folder';
import { Memento, Uri } from '../shim/basics';
import { host, resetHost } from '../shim/host';

const EXTENSION = 'tool-search.tool-search';
const ours = (workspace: string) => path.join('User/workspaceStorage', workspace, EXTENSION);
const GLOBAL = path.join('User/globalStorage', EXTENSION);

let data: string;
const asUri = (folder: string) => Uri.file(path.join(data, folder)) as unknown as vscode.Uri;
/** All stored files. */
const files = async () =>
  (await readdir(data, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(data, path.join(entry.parentPath, entry.name)))
    .sort();
const write = async (file: string) => {
  await mkdir(path.dirname(path.join(data, file)), { recursive: true });
  await writeFile(path.join(data, file), 'x');
};

let places: StorageContext;
let stored: StoredData;
beforeEach(async () => {
  resetHost();
  data = makeFolder();
  const [globalState, workspaceState] = [new Memento(), new Memento()];
  places = {
    secrets: host.secrets,
    globalState: Object.assign(globalState, { setKeysForSync: () => {} }),
    workspaceState,
    storageUri: asUri(ours('here')),
    extension: { id: 'publisher.name' },
    globalStorageUri: asUri(GLOBAL),
  };
  stored = new StoredData(places);
  await host.secrets.store('apiKey.anthropic', 'a key');
  await host.secrets.store('mcpEndpoint.here', 'a token');
  await globalState.update('seen', true);
  await stored.memento.update('pins', { tools: {} });
  await stored.file('turns.json').write('turns');
  for (const file of [`${ours('there')}/catalog.json`, `${GLOBAL}/catalog.json`, 'User/workspaceStorage/a-file'])
    await write(file);
  for (const file of ['User/workspaceStorage/here/another.extension/its.json', 'User/settings.json']) await write(file);
});

describe('what is kept on this machine', () => {
  it.skipIf(process.platform === 'win32')('is not read from a folder or a pipe, which a write replaces', async () => {
    const file = path.join(data, ours('here'), 'pipe.json');
    execFileSync('mkfifo', [file]);
    await mkdir(path.join(data, ours('here'), 'folder.json'));
    await expect(stored.file('pipe.json').read()).rejects.toThrow('pipe.json isn’t a regular file.');
    await expect(stored.file('folder.json').read()).rejects.toThrow('folder.json is a folder.');
    await stored.file('pipe.json').write('turns');
    expect(await stored.file('pipe.json').read()).toBe('turns');
  });

  it('is read back, and is nothing if nothing was written', async () => {
    expect(await stored.file('turns.json').read()).toBe('turns');
    expect(await stored.file('other.json').read()).toBeUndefined();
    expect(stored.memento.get('pins')).toEqual({ tools: {} });
    expect(stored.memento.get('other', 7)).toBe(7);
  });

  it('is read where an earlier extension host wrote last', async () => {
    const at = (workspace: string) =>
      new StoredData({ ...places, storageUri: asUri(ours(workspace)) }).file('turns.json');
    const beside = at('here-1');
    expect(await beside.read()).toBe('turns');
    await beside.write('newer turns');
    await utimes(path.join(data, ours('here'), 'turns.json'), 1, 1);
    expect(await beside.read()).toBe('newer turns');
    expect(await at('here').read()).toBe('newer turns');
    expect(await at('there').read()).toBeUndefined();
  });

  it('is on disk without the window, also during a reload', async () => {
    expect(await readFile(path.join(data, ours('here'), 'turns.json'), 'utf8')).toBe('turns');
    const file = stored.file('turns.json');
    await Promise.all(Array.from({ length: 20 }, (_, i) => file.write(`turns ${i}`)));
    expect(await file.read()).toBe('turns 19');
    expect(await readdir(path.join(data, ours('here')))).toEqual(['turns.json']);
  });

  it('leaves no temporary file if it can’t be written', async () => {
    await mkdir(path.join(data, ours('here'), 'seen.json'));
    await expect(stored.file('seen.json').write('seen')).rejects.toThrow();
    expect(await readdir(path.join(data, ours('here')))).toEqual(['seen.json', 'turns.json']);
  });

  it.skipIf(!existsSync('/dev/full'))('says once that the disk is full', async () => {
    await symlink('/dev/full', path.join(data, ours('here'), 'seen.json'));
    const file = stored.file('seen.json');
    for (const text of ['one', 'two']) await expect(file.append(text)).rejects.toThrow(/ENOSPC/);
    expect(host.messages).toEqual([expect.stringMatching(/^The disk is full: Tool Search can’t keep turns/)]);
    await stored.file('turns.json').write('still written');
    expect(await stored.file('turns.json').read()).toBe('still written');
  });

  it('is removed completely, for all workspaces, and nothing else is', async () => {
    await stored.forget();
    expect(await places.secrets.keys()).toEqual([]);
    expect([...places.globalState.keys(), ...places.workspaceState.keys()]).toEqual([]);
    expect(await files()).toEqual([
      'User/settings.json',
      'User/workspaceStorage/a-file',
      'User/workspaceStorage/here/another.extension/its.json',
    ]);
    await stored.forget();
  });

  it('is not written again by what goes on in the window', async () => {
    await stored.forget();
    await stored.file('turns.json').write('more turns');
    await stored.memento.update('pins', {});
    expect(await stored.file('turns.json').read()).toBeUndefined();
    expect(stored.memento.keys()).toEqual([]);
  });

  it('is what all windows without a folder share, if there is none', async () => {
    stored = new StoredData({ ...places, storageUri: undefined });
    await stored.file('seen.json').write('seen');
    expect(await files()).toContain(`${GLOBAL}/seen.json`);
    await stored.forget();
    expect((await files()).filter((file) => file.includes('globalStorage'))).toEqual([]);
  });
});

it('data of an earlier version that can’t be removed is told', async () => {
  const warnings: string[] = [];
  const remove = () => Promise.reject(new Error('read-only'));
  const broken = { memento: stored.memento, ofUser: stored.ofUser, removeSecret: async () => {}, remove };
  await removeDataOfRemovedFeatures(broken, (text) => warnings.push(text));
  expect(warnings).toEqual(Array(2).fill('Data of an earlier version can’t be removed: read-only'));
});
