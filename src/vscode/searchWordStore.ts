// The search words of a window from three sources: shipped with the extension, written by the user's model, and the
// team's file.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Tool } from '../core/catalog/tool';
import type { SearchWords } from '../core/search/words/searchWords';
import { definitionHash, WordBook } from '../core/search/words/wordBook';
import { readWordsFile, type WordsEntry, writeWordsFile } from '../core/search/words/wordsFile';
import type { StoredFile } from './storedData';

/** The team's file, in each folder of the workspace. */
export const TEAM_FILE = '.vscode/tool-words.json';

/** The dependencies of a window's search words. */
interface SearchWordsDeps {
  /** The extension's folder, which contains the shipped words. */
  readonly folder: string;
  /** The file with the words that the user's model wrote. */
  readonly stored: StoredFile;
  /** Whether words of models and teams are used. */
  readonly isOn: () => boolean;
  /** Reads the tools into the index again. */
  readonly apply: () => void;
  readonly warn: (message: string) => void;
}

/** The search words of this window: shipped, written by the user's model, and the team's. */
export class SearchWordStore implements vscode.Disposable {
  readonly book = new WordBook();
  readonly #deps: SearchWordsDeps;
  readonly #watcher: vscode.FileSystemWatcher;
  /** Words that the user's model wrote, by the hash of the tool's definition. */
  readonly #written = new Map<string, SearchWords>();

  constructor(deps: SearchWordsDeps) {
    this.#deps = deps;
    this.#watcher = vscode.workspace.createFileSystemWatcher(`**/${TEAM_FILE}`);
    const read = async () => {
      await this.#readTeam();
      this.apply();
    };
    this.#watcher.onDidChange(read);
    this.#watcher.onDidCreate(read);
    this.#watcher.onDidDelete(read);
  }

  /** Reads all words. Never rejects. */
  async load(): Promise<void> {
    await Promise.all([this.#readShipped(), this.#readWritten(), this.#readTeam()]);
    this.apply();
  }

  /** Gives the index the words that count now, after a change of settings or files. */
  apply(): void {
    this.book.written = this.#deps.isOn() ? this.#written : new Map();
    this.book.changed();
    this.#deps.apply();
  }

  /** Stores words that were written for tools, in place of the earlier ones. */
  async keep(words: ReadonlyMap<Tool, SearchWords>): Promise<void> {
    for (const [tool, own] of words) this.#written.set(definitionHash(tool), own);
    await this.#deps.stored.write(writeWordsFile(Object.fromEntries(this.#written)));
    this.apply();
  }

  dispose(): void {
    this.#watcher.dispose();
  }

  async #readShipped(): Promise<void> {
    const folder = path.join(this.#deps.folder, 'words');
    const files = await readdir(folder).catch(() => []);
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const entries = this.#read(await readFile(path.join(folder, file), 'utf8').catch(() => undefined), file);
      this.book.ship(entries);
    }
  }

  async #readWritten(): Promise<void> {
    const text = await this.#deps.stored.read().catch(() => undefined);
    for (const [hash, { words }] of this.#read(text, 'search words')) this.#written.set(hash, words);
  }

  /**
   * Reads the team's files. Their text comes from others: its size is limited, and an untrusted workspace's isn't read.
   */
  async #readTeam(): Promise<void> {
    const team = new Map<string, SearchWords>();
    for (const { uri } of vscode.workspace.isTrusted && this.#deps.isOn()
      ? (vscode.workspace.workspaceFolders ?? [])
      : []) {
      const file = vscode.Uri.joinPath(uri, TEAM_FILE);
      const bytes = await Promise.resolve(vscode.workspace.fs.readFile(file)).catch(() => undefined);
      for (const [id, { words }] of this.#read(bytes && new TextDecoder().decode(bytes), TEAM_FILE))
        team.set(id, words);
    }
    this.book.team = team;
  }

  #read(text: string | undefined, file: string): ReadonlyMap<string, WordsEntry> {
    if (text === undefined) return new Map();
    try {
      return readWordsFile(text);
    } catch (error) {
      this.#deps.warn(`${file} is left out: ${error instanceof Error ? error.message : error}.`);
      return new Map();
    }
  }
}
