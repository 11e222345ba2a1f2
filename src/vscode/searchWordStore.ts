// The search words of a window from three sources: the extension's own, those written by the user's model, and the
// team's file.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Tool } from '../core/catalog/tool';
import type { SearchWords } from '../core/search/words/searchWords';
import { definitionHash, WordBook } from '../core/search/words/wordBook';
import { MAX_FILE, readWordsFile, type WordsEntry, writeWordsFile } from '../core/search/words/wordsFile';
import { messageOf } from '../core/util/messageOf';
import type { StoredFile } from './storedData';

/** The path of the team's file in each workspace folder. */
export const TEAM_FILE = '.vscode/tool-words.json';

/** The functions and data that the store needs. */
interface SearchWordsDeps {
  /** The extension's folder, which contains its own words. */
  readonly folder: string;
  /** The file with the words that the user's model wrote. */
  readonly stored: StoredFile;
  /** Whether words of models and teams are used. */
  readonly isOn: () => boolean;
  /** Builds the search index again. */
  readonly apply: () => void;
  readonly warn: (message: string) => void;
}

/** The search words of this window: the extension's, the user's model's and the team's. */
export class SearchWordStore implements vscode.Disposable {
  readonly book = new WordBook();
  readonly #deps: SearchWordsDeps;
  readonly #disposables: readonly vscode.Disposable[];
  /** The words that the user's model wrote, by the hash of the tool's definition. */
  readonly #written = new Map<string, SearchWords>();
  /** The team's words by tool id; empty in an untrusted workspace. */
  #team: ReadonlyMap<string, SearchWords> = new Map();
  #teamReads = 0;

  constructor(deps: SearchWordsDeps) {
    this.#deps = deps;
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${TEAM_FILE}`);
    const read = async () => {
      await this.#readTeam();
      this.apply();
    };
    this.#disposables = [
      watcher,
      watcher.onDidChange(read),
      watcher.onDidCreate(read),
      watcher.onDidDelete(read),
      vscode.workspace.onDidGrantWorkspaceTrust(read),
      vscode.workspace.onDidChangeWorkspaceFolders(read),
    ];
  }

  /** Reads all words. Never rejects. */
  async load(): Promise<void> {
    await Promise.all([this.#readShipped(), this.#readWritten(), this.#readTeam()]);
    this.apply();
  }

  /** Updates the index with the words that are currently in use, after a change of settings or files. */
  apply(): void {
    const isOn = this.#deps.isOn();
    this.book.written = isOn ? this.#written : new Map();
    this.book.team = isOn ? this.#team : new Map();
    this.book.changed();
    this.#deps.apply();
  }

  /** Stores words for tools. They replace earlier ones. */
  async keep(words: ReadonlyMap<Tool, SearchWords>): Promise<void> {
    // Windows without a workspace share the file, so it is read again to keep words that another window wrote.
    await this.#readWritten();
    for (const [tool, own] of words) this.#written.set(definitionHash(tool), own);
    this.apply();
    await this.#deps.stored.write(writeWordsFile(Object.fromEntries(this.#written)));
  }

  /** Stores words for tools, only in languages in which they have none yet. */
  async add(words: ReadonlyMap<Tool, SearchWords>): Promise<void> {
    const all = [...words].map(
      ([tool, own]) => [tool, { ...own, ...this.#written.get(definitionHash(tool)) }] as const,
    );
    await this.keep(new Map(all));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #readShipped(): Promise<void> {
    const folder = path.join(this.#deps.folder, 'words');
    const files = await readdir(folder).catch(() => []);
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const text = await readFile(path.join(folder, file), 'utf8').catch(() => undefined);
      if (text !== undefined) this.book.ship(text, (error) => this.#warn(file, error));
    }
  }

  async #readWritten(): Promise<void> {
    const text = await this.#deps.stored.read().catch(() => undefined);
    for (const [hash, { words }] of this.#read(text, 'search words'))
      if (!this.#written.has(hash)) this.#written.set(hash, words);
  }

  /**
   * Reads the team's files. They are untrusted: their size is limited, and they are ignored in an untrusted workspace.
   */
  async #readTeam(): Promise<void> {
    const read = ++this.#teamReads;
    const team = new Map<string, SearchWords>();
    for (const { uri } of vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : []) {
      try {
        const warn = (problem: string) => this.#deps.warn(`${TEAM_FILE}: ${problem}`);
        for (const [id, { words }] of await readTeamFile(uri, warn)) team.set(id, words);
      } catch (error) {
        this.#warn(TEAM_FILE, error);
      }
    }
    // A read that began later has the newer words, even if it ends first.
    if (read === this.#teamReads) this.#team = team;
  }

  #read(text: string | undefined, file: string): ReadonlyMap<string, WordsEntry> {
    if (text === undefined) return new Map();
    try {
      return readWordsFile(text);
    } catch (error) {
      this.#warn(file, error);
      return new Map();
    }
  }

  #warn(file: string, error: unknown): void {
    this.#deps.warn(`${file} is left out: ${messageOf(error)}.`);
  }
}

/**
 * Reads the team's file in a folder. Returns no words if there is no file. A device or a pipe is never read, since it may
 * have no end.
 * @throws {Error} if the file can't be read
 */
export async function readTeamFile(
  folder: vscode.Uri,
  warn?: (problem: string) => void,
): Promise<ReadonlyMap<string, WordsEntry>> {
  const file = vscode.Uri.joinPath(folder, TEAM_FILE);
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if ((type & vscode.FileType.File) === 0) throw new Error('it is no regular file');
    if (size > MAX_FILE) throw new Error(`it has more than ${MAX_FILE} bytes`);
    return readWordsFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)), warn);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return new Map();
    throw error;
  }
}
