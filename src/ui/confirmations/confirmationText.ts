import * as vscode from 'vscode';
import type { PendingCall } from '../../core/ports';
import { codeName, escapeProse, fencedJson } from '../../core/util/plainText';
import { MAX_ARGUMENTS, noteLines } from './callNotes';

/**
 * Returns the confirmation for one or several calls of a tool, with the real tool's name, its server and arguments. All
 * of these are untrusted and shown as code, so that they contain no links, markup or hidden characters.
 */
export function confirmCalls(calls: readonly PendingCall[]): vscode.LanguageModelToolConfirmationMessages {
  const [first] = calls;
  if (!first) return { title: '', message: '' };
  const { tool } = first;
  const name = codeName(tool.name);
  const server = codeName(tool.server);
  const message = new vscode.MarkdownString(
    vscode.l10n.t('Arguments for the tool {0} of the MCP server {1}:', name, server),
  );
  for (const { input } of calls) message.appendMarkdown(`\n\n${fencedJson(input, MAX_ARGUMENTS)}`);
  const notes = new Set(calls.flatMap((call) => noteLines(call.tool, call.marks)));
  for (const note of notes) message.appendMarkdown(`\n\n${escapeProse(note)}`);
  // The title contains no names: VS Code shows it as plain text above the questions and removes underscores, even those
  // in code.
  const title =
    calls.length === 1
      ? vscode.l10n.t('Run this tool of an MCP server?')
      : vscode.l10n.t('Run this tool of an MCP server {0} times?', calls.length);
  return { title, message };
}
