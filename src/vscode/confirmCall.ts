import * as vscode from 'vscode';
import type { NamedCall } from '../core/agents/agentTools';
import { escapeMarkdown, fencedJson, oneLine } from '../core/text/plainText';

/** Longer arguments are cut: no one reads them. In characters. */
const MAX_ARGUMENTS = 5_000;

/**
 * Asks the user about a call under the real tool's name, with its server and arguments. All of it comes from strangers and
 * is shown as it stands: no markup, no links, and nothing that hides or turns around what is asked.
 */
export function confirmCall({ tool, args }: NamedCall): vscode.LanguageModelToolConfirmationMessages {
  const message = new vscode.MarkdownString(
    vscode.l10n.t('The tool {0} of the MCP server {1} gets:', escapeMarkdown(tool.name), escapeMarkdown(tool.server)),
  );
  message.appendMarkdown(`\n\n${fencedJson(args, MAX_ARGUMENTS)}`);
  // VS Code reads Markdown in a title too; names are letters, digits and little else.
  return { title: vscode.l10n.t('Run {0} of {1}?', plainName(tool.name), plainName(tool.server)), message };
}

function plainName(name: string): string {
  return oneLine(name).replace(/[^\p{L}\p{N} ._/-]/gu, '_');
}
