// The basic classes of VS Code's API, for unit tests.
import type * as vscode from 'vscode';

/** The real one, whatever timers a test has. */
const later = setImmediate;

export class Disposable implements vscode.Disposable {
  constructor(readonly dispose: () => unknown) {}

  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }
}

export class EventEmitter<T> implements vscode.EventEmitter<T> {
  /** The number of listeners of all emitters. */
  static listening = 0;
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event: vscode.Event<T> = (listener) => {
    this.#listeners.add(listener);
    EventEmitter.listening++;
    return new Disposable(() => {
      if (this.#listeners.delete(listener)) EventEmitter.listening--;
    });
  };

  get size(): number {
    return this.#listeners.size;
  }

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    EventEmitter.listening -= this.#listeners.size;
    this.#listeners.clear();
  }
}

export class CancellationError extends Error implements vscode.CancellationError {
  override readonly name = 'Canceled';
}

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token: vscode.CancellationToken = {
    isCancellationRequested: false,
    onCancellationRequested: this.#cancelled.event,
  };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

/** The part of VS Code's Uri that the code uses. The fragment is always empty. */
export class Uri
  implements Pick<vscode.Uri, 'scheme' | 'authority' | 'path' | 'query' | 'fragment' | 'fsPath' | 'toString'>
{
  readonly query: string;
  readonly fragment = '';
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;

  private constructor(scheme: string, path: string, authority = '', query = '') {
    this.query = query;
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static from({
    scheme,
    path = '',
    authority,
    query,
  }: Record<'scheme', string> & Partial<Record<'path' | 'authority' | 'query', string>>): Uri {
    return new Uri(scheme, path, authority, query);
  }

  static parse(text: string): Uri {
    const [, scheme = 'file', authority, path = ''] = text.match(/^([\w-]+):(?:\/\/([^/]*))?(.*)$/) ?? [];
    return new Uri(scheme, path, authority);
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return new Uri(base.scheme, [base.path, ...parts].join('/'), base.authority);
  }

  with({ path = this.path }: { readonly path?: string }): Uri {
    return new Uri(this.scheme, path, this.authority);
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}`;
  }
}

export class MarkdownString implements Pick<vscode.MarkdownString, 'value'> {
  constructor(public value = '') {}

  appendMarkdown(value: string): this {
    this.value += value;
    return this;
  }
}

export class ThemeIcon implements vscode.ThemeIcon {
  constructor(readonly id: string) {}
}

export class FileSystemError extends Error implements vscode.FileSystemError {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  static FileNotFound(uri: Uri): FileSystemError {
    return new FileSystemError('FileNotFound', `There is no ${uri.toString()}.`);
  }
}

export class Location {
  constructor(
    readonly uri: Uri,
    readonly range: unknown,
  ) {}
}

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const ViewColumn = { Active: -1, Beside: -2 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;

export class McpHttpServerDefinition {
  constructor(
    readonly label: string,
    public uri: Uri,
    public headers: Record<string, string> = {},
    public version?: string,
  ) {}
}

export enum FileType {
  Unknown = 0,
  File = 1,
  Directory = 2,
}

/** VS Code's memento, in memory. */
export class Memento implements vscode.Memento {
  readonly #kept = new Map<string, unknown>();
  keys = () => [...this.#kept.keys()];
  get = <T>(key: string, fallback?: T) => (this.#kept.get(key) ?? fallback) as T;
  async update(key: string, value: unknown) {
    if (value === undefined) this.#kept.delete(key);
    else this.#kept.set(key, value);
  }
}

/** VS Code's secret storage, without its encryption. */
export class SecretStorage implements vscode.SecretStorage {
  readonly #kept = new Map<string, string>();
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event as vscode.Event<vscode.SecretStorageChangeEvent>;

  keys = async () => [...this.#kept.keys()];
  get = async (key: string) => this.#kept.get(key);
  store = (key: string, value: string) => this.#change(key, () => this.#kept.set(key, value));
  delete = (key: string) => this.#change(key, () => this.#kept.delete(key));

  /** As in VS Code, a change takes a while. */
  async #change(key: string, change: () => unknown) {
    await new Promise(later);
    change();
    this.#changed.fire({ key });
  }
}
