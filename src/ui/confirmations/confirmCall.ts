import * as vscode from 'vscode';
import { codeName, escapeProse, fencedJson } from '../../core/util/plainText';
import type { PendingCall } from './confirmationQueue';
import { noteLines } from './noteLines';

/** Longer arguments are cut: no one reads them. In characters. */
const MAX_ARGUMENTS = 5_000;

/**
 * Asks the user about a call, or several of one tool, under the real tool's name, with its server and arguments.
 * All of it comes from strangers and is shown as it stands, as code: no markup, no links, and nothing that hides or
 * turns around what is asked.
 */
export function confirmCalls(calls: readonly PendingCall[]): vscode.LanguageModelToolConfirmationMessages {
  const [first] = calls;
  if (!first) return { title: '', message: '' };
  const { tool } = first;
  const name = codeName(tool.name);
  const server = codeName(tool.server);
  const message = new vscode.MarkdownString(vscode.l10n.t('The tool {0} of the MCP server {1} gets:', name, server));
  for (const { input } of calls) message.appendMarkdown(`\n\n${fencedJson(input, MAX_ARGUMENTS)}`);
  const notes = new Set(calls.flatMap((call) => noteLines(call.tool, call.notes)));
  for (const note of notes) message.appendMarkdown(`\n\n${escapeProse(note)}`);
  // No name stands in the title: above its questions VS Code shows it as plain text, without underscores, even
  // those of code.
  const title =
    calls.length === 1
      ? vscode.l10n.t('Run this tool of an MCP server?')
      : vscode.l10n.t('Run this tool of an MCP server {0} times?', calls.length);
  return { title, message };
}
