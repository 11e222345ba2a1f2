import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** A file of the extension's storage. */
interface StoredFile {
  /** The text, or undefined where there is none. */
  read(): Promise<string | undefined>;
  /** Makes it where there is none. */
  write(text: string): Promise<void>;
}

/** Where VS Code keeps what is ours. */
export type StorageContext = Pick<
  vscode.ExtensionContext,
  'secrets' | 'globalState' | 'workspaceState' | 'storageUri' | 'globalStorageUri'
> & {
  /** Whose it is. */
  readonly extension: Pick<vscode.Extension<unknown>, 'id'>;
};

/** All that is kept on this machine besides settings, and a way to be rid of it: VS Code leaves most of it behind when it uninstalls an extension. */
export class StoredData {
  readonly #places: StorageContext;
  #forgotten = false;

  constructor(places: StorageContext) {
    this.#places = places;
  }

  /** The extension's id, as VS Code knows it. */
  get owner(): string {
    return this.#places.extension.id;
  }

  /** What is kept with the workspace; nothing any more once all was forgotten. */
  get memento(): vscode.Memento {
    const { workspaceState } = this.#places;
    return {
      keys: () => workspaceState.keys(),
      get: <Value>(key: string, fallback?: Value) => workspaceState.get(key, fallback) as Value,
      update: async (key, value) => (this.#forgotten ? undefined : workspaceState.update(key, value)),
    };
  }

  /** A file of this workspace; of all windows without one. Nothing is written any more once all was forgotten. */
  file(name: string): StoredFile {
    const folder = (this.#places.storageUri ?? this.#places.globalStorageUri).fsPath;
    const file = path.join(folder, name);
    // As a whole or not at all: the window may end at any moment, and the one that comes reads meanwhile.
    const put = async (text: string) => {
      if (this.#forgotten) return;
      await mkdir(folder, { recursive: true });
      const next = `${file}.${process.pid}`;
      await writeFile(next, text);
      await rename(next, file);
    };
    let before: Promise<void> = Promise.resolve();
    return {
      async read() {
        try {
          return await readFile(file, 'utf8');
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      },
      // Not by VS Code's own file system: it asks the window first, which in a reload is gone before the last of it is written.
      write: (text) => {
        const written = before.then(() => put(text));
        before = written.catch(() => {});
        return written;
      },
    };
  }

  /** Removes all of it, of other workspaces too, and keeps nothing from here on. Rejects where something can't be removed. */
  async forget(): Promise<void> {
    this.#forgotten = true;
    const { secrets, globalState, workspaceState, storageUri, globalStorageUri } = this.#places;
    for (const key of await secrets.keys()) await secrets.delete(key);
    for (const state of [globalState, workspaceState])
      for (const key of state.keys()) await state.update(key, undefined);
    for (const folder of [globalStorageUri.fsPath, ...(storageUri ? await ofAllWorkspaces(storageUri.fsPath) : [])])
      await rm(folder, { recursive: true, force: true });
  }
}

/** Our folder in the storage of each workspace: `workspaceStorage/ID/EXTENSION`. */
async function ofAllWorkspaces(own: string): Promise<readonly string[]> {
  const all = path.resolve(own, '../..');
  if (path.basename(all) !== 'workspaceStorage') return [own];
  const workspaces = await readdir(all, { withFileTypes: true });
  return workspaces.filter((each) => each.isDirectory()).map(({ name }) => path.join(all, name, path.basename(own)));
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Asks, removes, and offers what comes next. */
export async function removeStoredData(stored: StoredData, resetSettings: () => Promise<void>): Promise<void> {
  const data = vscode.l10n.t('Remove Data');
  const all = vscode.l10n.t('Remove Data and User Settings');
  const detail = vscode.l10n.t(
    'Keys, tokens and answers to mcp.json in the secret storage; pins, what was learnt, turns and known tools, of all workspaces. Close other windows first, since they keep theirs. Chats are VS Code’s own and stay.',
  );
  const question = vscode.l10n.t('Remove all that Tool Search keeps on this machine?');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, data, all);
  if (answer !== data && answer !== all) return;
  await stored.forget();
  if (answer === all) await resetSettings();
  const uninstall = vscode.l10n.t('Uninstall');
  const reload = vscode.l10n.t('Reload Window');
  const next = await vscode.window.showInformationMessage(
    vscode.l10n.t('All is removed. Until the window reloads, nothing more is kept.'),
    uninstall,
    reload,
  );
  if (next === uninstall) await vscode.commands.executeCommand('workbench.extensions.uninstallExtension', stored.owner);
  if (next === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
