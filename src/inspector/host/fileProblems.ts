import * as vscode from 'vscode';
import type { FileProblem } from '../sessionFile/readSession';

/** Returns a message for the user: why a file can't be shown, and what to do. */
export function wordsFor(name: string, problem: FileProblem): string {
  switch (problem.kind) {
    case 'notText':
      return vscode.l10n.t('{0} can’t be read because it isn’t text. Export the session again.', name);
    case 'notJson':
      return vscode.l10n.t(
        '{0} can’t be read: line {1} isn’t valid JSON ({2}). Export the session again.',
        name,
        problem.line,
        problem.message,
      );
    case 'notOurs':
      return vscode.l10n.t(
        '{0} isn’t a session that Tool Search exported as JSON. OTLP files are for other programs.',
        name,
      );
    case 'version':
      return problem.newer
        ? vscode.l10n.t(
            '{0} has format {1}, which is newer than this version of Tool Search. Update Tool Search to open it.',
            name,
            problem.version,
          )
        : vscode.l10n.t(
            '{0} has format {1}, which Tool Search no longer reads. Export the session again.',
            name,
            problem.version,
          );
    case 'wrong':
      return vscode.l10n.t(
        '{0} was changed after the export: {1} {2}. Export the session again.',
        name,
        problem.where,
        problem.message,
      );
  }
}

export function fileNotRead(file: vscode.Uri, error: vscode.FileSystemError): string {
  const { fsPath } = file;
  return error.code === 'FileNotFound'
    ? vscode.l10n.t('{0} no longer exists: it was moved, renamed or deleted. Open it from its new place.', fsPath)
    : vscode.l10n.t('{0} can’t be read: {1}', fsPath, error.message);
}

export function fileTooLarge(name: string, bytes: number, limit: number): string {
  const megabytes = (of: number) => Math.ceil(of / 1_000_000);
  return vscode.l10n.t('{0} has {1} MB; up to {2} MB can be opened.', name, megabytes(bytes), megabytes(limit));
}
