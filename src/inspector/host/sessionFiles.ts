// Exports sessions to files, and opens exported sessions in panels.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import type { FixedSearch } from '../../core/search/searchOver';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { messageOf } from '../../core/util/messageOf';
import { inSlices } from '../../vscode/inSlices';
import type { ExportFormat, OriginView } from '../protocol/export';
import { type FileRequest, type KeptExport, parseKeptExport } from '../protocol/requests';
import type { ExportedSession } from '../sessionFile/format';
import type { LoadWhatIf } from '../suggestions/whatIfTable';
import type { Strings } from '../text/text';
import { createExportedSource } from './exportedSource';
import { showNote } from './exportNote';
import { fileNotRead, fileTooLarge, wordsFor } from './fileProblems';
import { InspectorPanel } from './panel';
import { EXPORTED_VIEW_TYPE } from './viewTypes';

/**
 * The key under which the files that the user opened in this workspace are stored, newest first, and the maximum number
 * of them that is stored.
 */
const OPENED = 'openedExports';
const MAX_OPENED = 50;

/** The maximum size of a file that is opened, in bytes. 500 turns with 10,000 tools take 10 MB. */
const MAX_FILE_BYTES = 100_000_000;

export interface SessionFilesDeps {
  readonly extensionUri: vscode.Uri;
  /** The extension's version. */
  readonly version: string;
  readonly session: () => ExportedSession;
  readonly strings: Strings;
  readonly memento: vscode.Memento;
  /** Creates a search over the tools of a file. */
  readonly searchOver: (tools: readonly Tool[]) => FixedSearch;
  readonly loadWhatIf: LoadWhatIf;
  /** Returns all known secrets. */
  readonly secrets: () => Promise<KnownSecrets>;
}

/**
 * Exports this window's session, and opens exported sessions. Each has its own panel, which is restored after a reload.
 */
export class SessionFiles implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #deps: SessionFilesDeps;
  readonly #panels = new Set<InspectorPanel>();

  constructor(deps: SessionFilesDeps) {
    this.#deps = deps;
  }

  /** Handles a request of the inspector. Rejects with a message for the user. */
  readonly handle = async (request: FileRequest): Promise<void> => {
    switch (request.type) {
      case 'export':
        return this.#export(request.format, request.contents);
      case 'openExport':
        return this.open();
      case 'openText':
        return this.#open(request.name, request.text);
    }
  };

  /** Asks for the format, whether to include contents such as prompts, and the file. Then writes the session. */
  async export(): Promise<void> {
    const format = await pickFormat();
    if (!format) return;
    const contents = await pickContents();
    if (contents !== undefined) await this.#export(format, contents);
  }

  /** Lets the user choose a file, and shows it. */
  async open(): Promise<void> {
    const picked = await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Open Exported Session'),
      openLabel: vscode.l10n.t('Open'),
      filters: { [vscode.l10n.t('Tool Search sessions')]: ['json'] },
      defaultUri: defaultFolder(),
    });
    const file = picked?.[0];
    if (!file) return;
    const uri = file.toString();
    await this.#open(nameOf(file), await read(file), uri);
    const others = this.#opened().filter((known) => known !== uri);
    await this.#deps.memento.update(OPENED, [uri, ...others].slice(0, MAX_OPENED));
  }

  /**
   * Restores a panel. Only a file that the user opened in this workspace is read again, whatever the page's state
   * contains.
   */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    let closed = false;
    panel.onDidDispose(() => {
      closed = true;
    });
    const { extensionUri } = this.#deps;
    const kept = parseKeptExport(state);
    const name = kept?.file ?? panel.title;
    showNote(panel, extensionUri, vscode.l10n.t('Opening {0}', name));
    try {
      const { session, origin } = await this.#readAgain(kept);
      if (!closed) this.#show(panel, session, origin);
    } catch (error) {
      const why = messageOf(error);
      if (!closed) showNote(panel, extensionUri, vscode.l10n.t('{0} can’t be shown again', name), why);
    }
  }

  dispose(): void {
    for (const panel of this.#panels) panel.dispose();
  }

  async #export(format: ExportFormat, contents: boolean): Promise<void> {
    const at = Date.now();
    const day = new Date(at).toISOString().slice(0, 10);
    const folder = defaultFolder();
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Session'),
      saveLabel: vscode.l10n.t('Export'),
      filters: { JSON: ['json'] },
      defaultUri: folder && vscode.Uri.joinPath(folder, `tool-search-${day}${format === 'otlp' ? '.otlp' : ''}.json`),
    });
    if (!target) return;
    const { exportSession } = await import('../sessionFile/sessionFile');
    const { session, version } = this.#deps;
    const secrets = await this.#deps.secrets();
    const pieces = exportSession(format, session(), { contents, at, productVersion: version, secrets }, (bytes) =>
      randomBytes(bytes).toString('hex'),
    );
    const text: string[] = [];
    await inSlices(vscode.l10n.t('Exporting the session'), pieces, (piece) => text.push(piece));
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text.join('')));
    void vscode.window.showInformationMessage(
      contents
        ? vscode.l10n.t('Exported to {0}, with prompts and results.', nameOf(target))
        : vscode.l10n.t('Exported to {0}, without prompts and results.', nameOf(target)),
    );
  }

  #opened(): readonly string[] {
    const kept = this.#deps.memento.get<unknown>(OPENED);
    return Array.isArray(kept) ? kept.filter((uri) => typeof uri === 'string') : [];
  }

  /** Reads the file that a restored panel showed. Rejects with a message for the user. */
  async #readAgain(kept: KeptExport | undefined): Promise<ReadFile> {
    if (kept && kept.uri === undefined) {
      throw new Error(
        vscode.l10n.t(
          'VS Code doesn’t report the folder of a file that is dragged here. Open the file from its folder.',
        ),
      );
    }
    if (!kept?.uri || !this.#opened().includes(kept.uri)) {
      throw new Error(
        vscode.l10n.t('The folder of this session is no longer known. Open the session from its folder.'),
      );
    }
    const file = vscode.Uri.parse(kept.uri, true);
    return this.#read(nameOf(file), await read(file), kept.uri);
  }

  /**
   * Shows a file in a new panel.
   * @param uri undefined if only the text is known
   */
  async #open(name: string, document: Uint8Array | string, uri?: string): Promise<void> {
    const { session, origin } = await this.#read(name, document, uri);
    this.#show(vscode.window.createWebviewPanel(EXPORTED_VIEW_TYPE, name, vscode.ViewColumn.Active), session, origin);
  }

  /** Reads the session in a file's content. Rejects with a message for the user. */
  async #read(name: string, document: Uint8Array | string, uri?: string): Promise<ReadFile> {
    const { openSession } = await import('../sessionFile/sessionFile');
    const opened = await inSlices(vscode.l10n.t('Opening {0}', name), openSession(document), () => {});
    if (!opened.ok) throw new Error(wordsFor(name, opened.problem));
    const { exportedAt, product, contents } = opened.origin;
    const origin: OriginView = {
      file: name,
      uri,
      exportedAt: new Date(exportedAt).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }),
      product: `${product.name} ${product.version}`,
      contents,
    };
    return { session: opened.session, origin };
  }

  #show(panel: vscode.WebviewPanel, session: ExportedSession, origin: OriginView): void {
    const { strings, extensionUri, searchOver, loadWhatIf } = this.#deps;
    const source = createExportedSource(session, origin, { strings, files: this.handle, searchOver, loadWhatIf });
    const inspector = new InspectorPanel(extensionUri, source, strings);
    this.#panels.add(inspector);
    panel.onDidDispose(() => {
      inspector.dispose();
      this.#panels.delete(inspector);
    });
    void inspector.deserializeWebviewPanel(panel);
  }
}

interface ReadFile {
  readonly session: ExportedSession;
  readonly origin: OriginView;
}

function nameOf(file: vscode.Uri): string {
  return file.path.split('/').at(-1) ?? '';
}

/**
 * Returns a file's bytes. Rejects with a message for the user. A device or a pipe is never read, since it may have no
 * end.
 */
async function read(file: vscode.Uri): Promise<Uint8Array> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if ((type & vscode.FileType.File) === 0) throw new Error(vscode.l10n.t('{0} isn’t a regular file.', nameOf(file)));
    if (size > MAX_FILE_BYTES) throw new Error(fileTooLarge(nameOf(file), size, MAX_FILE_BYTES));
    return await vscode.workspace.fs.readFile(file);
  } catch (error) {
    throw error instanceof vscode.FileSystemError ? new Error(fileNotRead(file, error)) : error;
  }
}

async function pickFormat(): Promise<ExportFormat | undefined> {
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { format: ExportFormat }>(
    [
      { label: 'JSON', description: vscode.l10n.t('can be opened again in the inspector'), format: 'json' },
      { label: 'OTLP', description: vscode.l10n.t('OpenTelemetry traces in JSON, for other programs'), format: 'otlp' },
    ],
    { placeHolder: vscode.l10n.t('Export Session: format'), ignoreFocusOut: true },
  );
  return picked?.format;
}

/** The first choice leaves out contents. */
async function pickContents(): Promise<boolean | undefined> {
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { contents: boolean }>(
    [
      {
        label: vscode.l10n.t('Without prompts and results'),
        description: vscode.l10n.t('names, figures and times only'),
        contents: false,
      },
      {
        label: vscode.l10n.t('With prompts and results'),
        description: vscode.l10n.t('prompts, queries, arguments, results and messages too'),
        contents: true,
      },
    ],
    // When the previous pick closes, VS Code moves the focus to the editor, possibly only after this pick has opened.
    { placeHolder: vscode.l10n.t('Export Session: contents'), ignoreFocusOut: true },
  );
  return picked?.contents;
}

function defaultFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}
