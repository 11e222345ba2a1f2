import * as vscode from 'vscode';
import type { ToolMark } from '../../core/catalog/marks';
import type { Tool, ToolAnnotations } from '../../core/catalog/tool';
import { plainMessage } from '../../core/util/plainText';

/** The maximum number of characters of a call's arguments that a question shows. */
export const MAX_ARGUMENTS = 5_000;

/** Returns notes on a call for the user: the server's claims, and warnings about the tool. */
export function noteLines({ annotations }: Tool, marks: readonly ToolMark[] = []): readonly string[] {
  const claims = claimsOf(annotations ?? {});
  return [
    ...(claims.length > 0 ? [vscode.l10n.t('Its server claims: {0}.', claims.join(', '))] : []),
    ...marks.map(markLine),
  ];
}

function claimsOf({ destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations): readonly string[] {
  return [
    ...(destructiveHint === true ? [vscode.l10n.t('may delete or overwrite')] : []),
    ...(destructiveHint === false ? [vscode.l10n.t('only adds')] : []),
    ...(idempotentHint === true ? [vscode.l10n.t('safe to repeat')] : []),
    ...(openWorldHint === true ? [vscode.l10n.t('open world')] : []),
  ];
}

function markLine({ kind, part }: ToolMark): string {
  const shown = plainMessage(part);
  const lines: { readonly [kind in ToolMark['kind']]: string } = {
    hidden: vscode.l10n.t('Suspicious: its definition had hidden characters ({0}).', shown),
    looks: vscode.l10n.t('Suspicious: letters of another alphabet look like Latin letters: “{0}”', shown),
    encoded: vscode.l10n.t('Suspicious: its definition contains a hidden command or instruction: “{0}”', shown),
    order: vscode.l10n.t('Suspicious: its definition gives orders to the model: “{0}”', shown),
    sends: vscode.l10n.t('Suspicious: its definition says that data is sent elsewhere: “{0}”', shown),
    secret: vscode.l10n.t('Suspicious: its definition mentions a file with keys: “{0}”', shown),
    names: vscode.l10n.t('Suspicious: its definition tells the model to call another server’s tool: “{0}”', shown),
    twin: vscode.l10n.t('Suspicious: another server has nearly the same tool: {0}', shown),
  };
  return lines[kind];
}
