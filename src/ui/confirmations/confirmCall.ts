import * as vscode from 'vscode';
import type { NamedCall } from '../../core/agents/agentTools';
import { codeName, fencedJson } from '../../core/util/plainText';

/** Longer arguments are cut: no one reads them. In characters. */
const MAX_ARGUMENTS = 5_000;

/**
 * Asks the user about a call, or several of one tool, under the real tool's name, with its server and arguments. All of it comes from strangers and
 * is shown as it stands, as code: no markup, no links, and nothing that hides or turns around what is asked.
 */
export function confirmCalls(calls: readonly NamedCall[]): vscode.LanguageModelToolConfirmationMessages {
  const [first] = calls;
  if (!first) return { title: '', message: '' };
  const { tool } = first;
  const name = codeName(tool.name);
  const server = codeName(tool.server);
  const message = new vscode.MarkdownString(vscode.l10n.t('The tool {0} of the MCP server {1} gets:', name, server));
  for (const { args } of calls) message.appendMarkdown(`\n\n${fencedJson(args, MAX_ARGUMENTS)}`);
  // No name stands in the title: above its questions VS Code shows it as plain text, without underscores, even those of code.
  const title =
    calls.length === 1
      ? vscode.l10n.t('Run this tool of an MCP server?')
      : vscode.l10n.t('Run this tool of an MCP server {0} times?', calls.length);
  return { title, message };
}
