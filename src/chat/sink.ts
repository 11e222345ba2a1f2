import * as vscode from 'vscode';
import type { Tool } from '../core/catalog/tool';
import { escapeMarkdown } from '../core/text/plainText';
import type { TurnSink } from '../core/turn/turn';

/** A turn's sink that tools have a say in too. */
export interface ChatSink extends TurnSink {
  /** How far a call has come, in the tool's own words. */
  progress(text: string): void;
}

/** Shows a turn in the chat view as it happens. Progress is Markdown too. */
export function createChatSink(stream: vscode.ChatResponseStream): ChatSink {
  return {
    text: (delta) => stream.markdown(delta),
    searching: (queries) =>
      stream.progress(vscode.l10n.t('Searching tools: {0}', queries.map((query) => `“${escapeMarkdown(query)}”`).join(', '))),
    found: (tools) => stream.progress(vscode.l10n.t('Found {0}', escapeMarkdown(tools.map((tool) => tool.id).join(', ')))),
    calling: (tool: Tool) => stream.progress(vscode.l10n.t('Calling {0}', escapeMarkdown(tool.id))),
    progress: (text) => stream.progress(escapeMarkdown(text)),
    warning: (message) => stream.markdown(`\n\n> ⚠ ${escapeMarkdown(message)}\n\n`),
  };
}
