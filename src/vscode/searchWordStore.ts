// The search words of a window: the extension's own, and those of the team's file.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SearchWords } from '../core/search/words/searchWords';
import { WordBook } from '../core/search/words/wordBook';
import { MAX_FILE, readWordsFile } from '../core/search/words/wordsFile';
import { messageOf } from '../core/util/messageOf';
import { readConfigText } from './configFile';

/** The path of the team's file in each workspace folder. */
const TEAM_FILE = '.vscode/tool-words.json';

interface SearchWordsDeps {
  /** The extension's folder, which contains its own words. */
  readonly folder: string;
  /** Builds the search index again. */
  readonly apply: () => void;
  readonly warn: (message: string) => void;
}

export class SearchWordStore implements vscode.Disposable {
  readonly book = new WordBook();
  readonly #deps: SearchWordsDeps;
  readonly #disposables: readonly vscode.Disposable[];
  #teamReads = 0;

  constructor(deps: SearchWordsDeps) {
    this.#deps = deps;
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${TEAM_FILE}`);
    const read = async () => {
      await this.#readTeam();
      this.#deps.apply();
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
    await Promise.all([this.#readShipped(), this.#readTeam()]);
    this.#deps.apply();
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

  /** Reads the team's files. They are untrusted: their size is limited, and an untrusted workspace's are ignored. */
  async #readTeam(): Promise<void> {
    const read = ++this.#teamReads;
    const team = new Map<string, SearchWords>();
    for (const { uri } of vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : []) {
      const { text, problem } = await readConfigText(vscode.Uri.joinPath(uri, TEAM_FILE), MAX_FILE);
      if (problem !== undefined) this.#warn(TEAM_FILE, problem);
      if (text === undefined) continue;
      try {
        const warn = (problem: string) => this.#deps.warn(`${TEAM_FILE}: ${problem}`);
        for (const [id, { words }] of readWordsFile(text, warn)) team.set(id, words);
      } catch (error) {
        this.#warn(TEAM_FILE, error);
      }
    }
    // A read that began later has the newer words, even if it ends first.
    if (read === this.#teamReads) this.book.team = team;
  }

  #warn(file: string, error: unknown): void {
    this.#deps.warn(`${file} is left out: ${messageOf(error)}`);
  }
}
