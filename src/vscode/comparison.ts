import * as vscode from 'vscode';
import { visibleText } from '../core/text/plainText';

const SCHEME = 'toolsearch-changed';

/** A tool's definition as text, as it was and as it is. */
export interface Compared {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** Shows in VS Code's own editor of differences what tools were beside what they are. */
export class Comparison implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered: vscode.Disposable;

  constructor() {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? '',
    });
  }

  /** All changed tools of a server, one below the other. */
  async show(server: string, tools: readonly Compared[]): Promise<void> {
    const notKept = vscode.l10n.t('(what it was has not been kept)');
    const before = this.#put(`${server}/before.md`, tools.map((tool) => `# ${tool.name}\n\n${tool.before ?? notKept}`).join('\n\n'));
    const after = this.#put(`${server}/after.md`, tools.map((tool) => `# ${tool.name}\n\n${tool.after}`).join('\n\n'));
    const title = vscode.l10n.t('Tools of {0}: before and now', server);
    await vscode.commands.executeCommand('vscode.diff', before, after, title);
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  #put(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}` });
    this.#texts.set(uri.path, visibleText(text));
    this.#changed.fire(uri);
    return uri;
  }
}
