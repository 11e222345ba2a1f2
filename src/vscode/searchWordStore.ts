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

/** What the search words of a window depend on. */
interface SearchWordsDeps {
  /** The extension's folder: it has the words that are shipped. */
  readonly folder: string;
  /** Keeps what the user's model wrote. */
  readonly stored: StoredFile;
  /** Whether words of models and teams count. */
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
  /** By definition. */
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

  /** Follows settings and files: the index gets the words that count now. */
  apply(): void {
    this.book.written = this.#deps.isOn() ? this.#written : new Map();
    this.book.changed();
    this.#deps.apply();
  }

  /** Keeps what was written for tools, in place of what was there. */
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

  /** A team's file is text from others: it is bounded, and it isn't read in a workspace that isn't trusted. */
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
