import * as vscode from 'vscode';
import type { Tool } from '../core/tool';
import type { TurnSink } from '../core/turn';

/** Shows a turn in the chat view as it happens. */
export function createChatSink(stream: vscode.ChatResponseStream): TurnSink {
  return {
    text: (delta) => stream.markdown(delta),
    searching: (queries) =>
      stream.progress(vscode.l10n.t('Searching tools: {0}', queries.map((query) => `“${oneLine(query)}”`).join(', '))),
    found: (tools) => stream.progress(vscode.l10n.t('Found {0}', tools.map((tool) => tool.id).join(', '))),
    calling: (tool: Tool) => stream.progress(vscode.l10n.t('Calling {0}', tool.id)),
    warning: (message) => stream.markdown(`\n\n> ⚠ ${escapeMarkdown(message)}\n\n`),
  };
}

/** Text from outside as it stands: no markup, no links, no icons. */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]()#+\-.!|<>~$]/g, '\\$&');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
