// The extension's data on this machine, without settings: files, workspace state and their deletion.

import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { readRegularFile } from './regularFile';
import { replaceFile } from './replaceFile';

/** A file in the extension's storage. */
export interface StoredFile {
  /** Returns the text; undefined if the file doesn't exist. */
  read(): Promise<string | undefined>;
  /** Replaces the whole file, or creates it. */
  write(text: string): Promise<void>;
  /** Appends to the file. If it fails, a part may have been written. */
  append(text: string): Promise<void>;
}

/** The parts of the extension's context that give access to its storage. */
export type StorageContext = Pick<
  vscode.ExtensionContext,
  'secrets' | 'globalState' | 'workspaceState' | 'storageUri' | 'globalStorageUri'
> & {
  /** The extension that owns the data. */
  readonly extension: Pick<vscode.Extension<unknown>, 'id'>;
};

/**
 * All data on this machine except settings. It can be deleted, since VS Code leaves most of it behind when it
 * uninstalls an extension.
 */
export class StoredData {
  readonly #places: StorageContext;
  #forgotten = false;
  #reported = false;

  constructor(places: StorageContext) {
    this.#places = places;
  }

  /** The extension's id in VS Code. */
  get owner(): string {
    return this.#places.extension.id;
  }

  /** The workspace's state. */
  get memento(): vscode.Memento {
    return this.#untilForgotten(this.#places.workspaceState);
  }

  /** The user's state for all workspaces. */
  get ofUser(): vscode.Memento {
    return this.#untilForgotten(this.#places.globalState);
  }

  #untilForgotten(state: vscode.Memento): vscode.Memento {
    return {
      keys: () => state.keys(),
      get: <Value>(key: string, fallback?: Value) => state.get(key, fallback) as Value,
      update: async (key, value) => (this.#forgotten ? undefined : state.update(key, value)),
    };
  }

  /**
   * Returns a file of this workspace. Windows without a workspace share one. If the windows of a workspace have a file
   * each, the newest is read. After {@link forget}, nothing is written.
   */
  file(name: string): StoredFile {
    const folder = this.#folder;
    const file = path.join(folder, name);
    const folders = this.#places.storageUri ? foldersOfWorkspace(folder) : [folder];
    let before: Promise<void> = Promise.resolve();
    const put = (write: () => Promise<void>) => {
      const written = before.then(async () => {
        if (this.#forgotten) return;
        try {
          await mkdir(folder, { recursive: true });
          await write();
        } catch (error) {
          this.#report(error);
          throw error;
        }
      });
      before = written.catch(() => {});
      return written;
    };
    return {
      async read() {
        try {
          return await readRegularFile(await newest(folders.map((each) => path.join(each, name))));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
          throw error;
        }
      },
      // VS Code's file system isn't used, since it stops working before the end of a reload.
      write: (text) => put(() => replaceFile(file, text)),
      append: (text) => put(() => appendFile(file, text)),
    };
  }

  /** Deletes a file or folder of this workspace and of all workspaces, if it exists. */
  async remove(name: string): Promise<void> {
    for (const folder of [this.#folder, this.#places.globalStorageUri.fsPath])
      await rm(path.join(folder, name), { recursive: true, force: true });
  }

  async removeSecret(key: string): Promise<void> {
    await this.#places.secrets.delete(key);
  }

  get #folder(): string {
    return (this.#places.storageUri ?? this.#places.globalStorageUri).fsPath;
  }

  /** Shows once that the disk can't be written, since new data is then lost when the window closes. */
  #report(error: unknown): void {
    const { code } = error as NodeJS.ErrnoException;
    if (this.#reported || !['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(code ?? '')) return;
    this.#reported = true;
    void vscode.window.showWarningMessage(
      code === 'ENOSPC' || code === 'EDQUOT'
        ? vscode.l10n.t('The disk is full: Tool Search can’t keep turns and tools for the next session.')
        : vscode.l10n.t('Tool Search can’t write to its folder, so turns and tools aren’t kept for the next session.'),
    );
  }

  /** Deletes all data, also of other workspaces, and writes none from then on. Rejects if anything can't be deleted. */
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

/**
 * Returns the folders that VS Code may have given to this workspace. If an earlier extension host still runs after a
 * reload, VS Code adds a number to the workspace's id: `workspaceStorage/ID-1/EXTENSION`.
 */
function foldersOfWorkspace(own: string): readonly string[] {
  const [id, extension] = [path.dirname(own).replace(/-\d$/, ''), path.basename(own)];
  return ['', '-1', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9'].map((attempt) =>
    path.join(id + attempt, extension),
  );
}

/** Returns the file that was written last, or the first if there is none. */
async function newest(files: readonly string[]): Promise<string> {
  const found = await Promise.all(files.map((file) => stat(file).catch(() => ({ mtimeMs: 0 }))));
  const times = found.map(({ mtimeMs }) => mtimeMs);
  return files[times.indexOf(Math.max(...times))] ?? '';
}

/** Returns the extension's folders in the storage of all workspaces: `workspaceStorage/ID/EXTENSION`. */
async function ofAllWorkspaces(own: string): Promise<readonly string[]> {
  const all = path.resolve(own, '../..');
  if (path.basename(all) !== 'workspaceStorage') return [own];
  const workspaces = await readdir(all, { withFileTypes: true });
  return workspaces.filter((each) => each.isDirectory()).map(({ name }) => path.join(all, name, path.basename(own)));
}
