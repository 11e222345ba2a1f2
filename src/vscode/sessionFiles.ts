import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ExportFormat, ExportToHost, OriginView } from '../inspector/exportProtocol';
import { InspectorPanel } from '../inspector/panel';
import type { Strings } from '../inspector/protocol';
import type { Session } from '../inspector/sessionFile/format';
import { createExportedSource } from './exportedSource';
import { fileTooLarge, wordsFor } from './fileProblems';
import { inTurns } from './inTurns';

/** Bytes of a file that is opened, at the most: 500 turns over 10,000 tools are 10 MB. */
const MAX_FILE_BYTES = 100_000_000;

export interface SessionFilesParts {
  readonly extensionUri: vscode.Uri;
  /** The extension's. */
  readonly version: string;
  readonly session: () => Session;
  readonly strings: Strings;
  /** Everything that is known to be secret. */
  readonly secrets: () => Promise<readonly string[]>;
}

/** Exports this window's session, and opens exported ones, each in a panel of its own. */
export class SessionFiles implements vscode.Disposable {
  readonly #parts: SessionFilesParts;
  readonly #panels = new Set<InspectorPanel>();

  constructor(parts: SessionFilesParts) {
    this.#parts = parts;
  }

  /** What the inspector asks for; rejects with words for the user. */
  readonly handle = async (request: ExportToHost): Promise<void> => {
    switch (request.type) {
      case 'export':
        return this.#export(request.format, request.contents);
      case 'openExport':
        return this.open();
      case 'openText':
        return this.#show(request.name, request.text);
    }
  };

  /** Asks for a format, whether to include what was said, and where to. */
  async export(): Promise<void> {
    const format = await pickFormat();
    if (!format) return;
    const contents = await pickContents();
    if (contents !== undefined) await this.#export(format, contents);
  }

  /** Asks for a file and shows it. */
  async open(): Promise<void> {
    const picked = await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Open Exported Session'),
      openLabel: vscode.l10n.t('Open'),
      filters: { [vscode.l10n.t('Tool Search sessions')]: ['json'] },
      defaultUri: defaultFolder(),
    });
    const file = picked?.[0];
    if (!file) return;
    const name = file.path.split('/').at(-1) ?? '';
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MAX_FILE_BYTES) throw new Error(fileTooLarge(name, size, MAX_FILE_BYTES));
    await this.#show(name, await vscode.workspace.fs.readFile(file));
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
    const { exportSession } = await import('../inspector/sessionFile/sessionFile');
    const { session, version } = this.#parts;
    const secrets = await this.#parts.secrets();
    const pieces = exportSession(format, session(), { contents, at, productVersion: version, secrets }, (bytes) =>
      randomBytes(bytes).toString('hex'),
    );
    const text: string[] = [];
    await inTurns(vscode.l10n.t('Exporting the session'), pieces, (piece) => text.push(piece));
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text.join('')));
    void vscode.window.showInformationMessage(
      contents
        ? vscode.l10n.t('Exported to {0}, with what was said.', target.path.split('/').at(-1) ?? '')
        : vscode.l10n.t('Exported to {0}, without what was said.', target.path.split('/').at(-1) ?? ''),
    );
  }

  async #show(name: string, document: Uint8Array | string): Promise<void> {
    const { openSession } = await import('../inspector/sessionFile/sessionFile');
    const opened = await inTurns(vscode.l10n.t('Opening {0}', name), openSession(document), () => {});
    if (!opened.ok) throw new Error(wordsFor(name, opened.problem));
    const { exportedAt, product, contents } = opened.origin;
    const origin: OriginView = {
      file: name,
      exportedAt: new Date(exportedAt).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }),
      product: `${product.name} ${product.version}`,
      contents,
    };
    const { strings, extensionUri } = this.#parts;
    const panel = new InspectorPanel(extensionUri, createExportedSource(opened.session, origin, strings, this.handle), strings, name);
    this.#panels.add(panel);
    panel.show();
  }
}

async function pickFormat(): Promise<ExportFormat | undefined> {
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { format: ExportFormat }>(
    [
      { label: 'JSON', description: vscode.l10n.t('can be opened again in the inspector'), format: 'json' },
      { label: 'OTLP', description: vscode.l10n.t('OpenTelemetry traces in JSON, for other programs'), format: 'otlp' },
    ],
    { placeHolder: vscode.l10n.t('Export Session: format') },
  );
  return picked?.format;
}

/** Leaving out what was said comes first. */
async function pickContents(): Promise<boolean | undefined> {
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { contents: boolean }>(
    [
      { label: vscode.l10n.t('Without what was said'), description: vscode.l10n.t('names, figures and times only'), contents: false },
      {
        label: vscode.l10n.t('With what was said'),
        description: vscode.l10n.t('prompts, queries, arguments, results and messages too'),
        contents: true,
      },
    ],
    { placeHolder: vscode.l10n.t('Export Session: contents') },
  );
  return picked?.contents;
}

function defaultFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}
