import * as vscode from 'vscode';
import type { ToolMark } from '../../core/catalog/marks';
import { markWords } from '../../core/catalog/markWords';
import { claimsOf } from '../../core/catalog/serverClaims';
import type { Tool } from '../../core/catalog/tool';
import { plainMessage } from '../../core/util/plainText';

/** The maximum number of characters of a call's arguments that a question shows. */
export const MAX_ARGUMENTS = 5_000;

/** Returns notes on a call for the user: the server's claims, and warnings about the tool. */
export function noteLines({ annotations }: Tool, marks: readonly ToolMark[] = []): readonly string[] {
  const { destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
  const claims = claimsOf({ destructiveHint, idempotentHint, openWorldHint: openWorldHint || undefined });
  return [
    ...(claims.length > 0 ? [vscode.l10n.t('Its server claims: {0}.', claims.join(', '))] : []),
    ...marks.map(({ kind, part }) => vscode.l10n.t('Suspicious: {0}', markWords({ kind, part: plainMessage(part) }))),
  ];
}
