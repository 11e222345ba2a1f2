import * as vscode from 'vscode';

/** Texts that VS Code shows in read-only editors, by path. A text exists as long as its editor. */
export class TextDocuments implements vscode.Disposable {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered: vscode.Disposable;

  constructor(scheme: string) {
    this.#scheme = scheme;
    this.#registered = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed.uri.scheme === scheme) this.#texts.delete(closed.uri.path);
      }),
    );
  }

  /** Sets the text of a path, and returns its address. The file extension determines the colours. */
  put(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${path}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
