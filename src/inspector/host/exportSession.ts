import * as vscode from 'vscode';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { inSlices } from '../../vscode/inSlices';
import type { ExportedSession } from '../sessionFile/exportedSession';
import type { ExportFormat } from '../sessionFile/sessionFile';

interface SessionFilesDeps {
  readonly version: string;
  readonly session: () => ExportedSession;
  readonly secrets: () => Promise<KnownSecrets>;
}

/** Exports this window's session, after asking for the format, whether to include contents, and the file. */
export async function exportAsking(deps: SessionFilesDeps): Promise<void> {
  const format = await pickFormat();
  if (!format) return;
  const contents = await pickContents();
  if (contents !== undefined) await exportTo(deps, format, contents);
}

/** Asks for the file, and writes the session to it. Rejects with a message for the user. */
async function exportTo(deps: SessionFilesDeps, format: ExportFormat, contents: boolean): Promise<void> {
  const at = Date.now();
  // Swedish dates are in the form of ISO 8601.
  const day = new Date(at).toLocaleDateString('sv');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Session'),
    saveLabel: vscode.l10n.t('Export'),
    filters: { JSON: ['json'] },
    defaultUri: folder && vscode.Uri.joinPath(folder, `tool-search-${day}${format === 'otlp' ? '.otlp' : ''}.json`),
  });
  if (!target) return;
  const { exportSession } = await import('../sessionFile/sessionFile');
  const secrets = await deps.secrets();
  const options = { contents, at, productVersion: deps.version, secrets };
  const pieces = exportSession(format, deps.session(), options);
  const text: string[] = [];
  await inSlices(vscode.l10n.t('Exporting the session'), pieces, (piece) => text.push(piece));
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text.join('')));
  const name = target.path.split('/').at(-1) ?? '';
  void vscode.window.showInformationMessage(
    contents
      ? vscode.l10n.t('Exported to {0}, with prompts and results.', name)
      : vscode.l10n.t('Exported to {0}, without prompts and results.', name),
  );
}

function pickFormat(): Promise<ExportFormat | undefined> {
  return pick<ExportFormat>(vscode.l10n.t('Export Session: format'), [
    { label: 'JSON', description: vscode.l10n.t('everything that the inspector shows'), value: 'json' },
    { label: 'OTLP', description: vscode.l10n.t('OpenTelemetry traces in JSON, for other programs'), value: 'otlp' },
  ]);
}

/** The first choice leaves out contents. */
function pickContents(): Promise<boolean | undefined> {
  const without = vscode.l10n.t('names, figures and times only');
  const all = vscode.l10n.t('prompts, queries, arguments, results and messages too');
  return pick<boolean>(vscode.l10n.t('Export Session: contents'), [
    { label: vscode.l10n.t('Without prompts and results'), description: without, value: false },
    { label: vscode.l10n.t('With prompts and results'), description: all, value: true },
  ]);
}

async function pick<Value>(
  placeHolder: string,
  items: readonly (vscode.QuickPickItem & { readonly value: Value })[],
): Promise<Value | undefined> {
  // When the previous pick closes, VS Code moves the focus to the editor, possibly only after this pick has opened.
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.value;
}
