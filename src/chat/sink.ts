import * as vscode from 'vscode';
import type { Tool } from '../core/catalog/tool';
import type { Hide } from '../core/text/knownSecrets';
import { escapeMarkdown } from '../core/text/plainText';
import type { TurnSink } from '../core/turn/turn';

/** A turn's sink that tools have a say in too. */
export interface ChatSink extends TurnSink {
  /** How far a call has come, in the tool's own words. */
  progress(text: string): void;
}

/**
 * Shows a turn in the chat view as it happens. Progress is Markdown too. Warnings wait for {@link writeNotes}: VS Code folds
 * all that stands before the last progress of an answer away.
 * @param hide takes secrets out, before they are written in a way in which nobody knows them
 */
export function createChatSink(stream: vscode.ChatResponseStream, hide: Hide): ChatSink & { writeNotes(): void } {
  const notes = new Set<string>();
  return {
    text: (delta) => stream.markdown(hide(delta)),
    searching: (queries) =>
      stream.progress(vscode.l10n.t('Searching tools: {0}', queries.map((query) => `“${escapeMarkdown(hide(query))}”`).join(', '))),
    found: (tools) => stream.progress(vscode.l10n.t('Found {0}', escapeMarkdown(tools.map((tool) => tool.id).join(', ')))),
    calling: (tool: Tool) => stream.progress(vscode.l10n.t('Calling {0}', escapeMarkdown(tool.id))),
    running: (title) =>
      stream.progress(
        title === '' ? vscode.l10n.t('Running a script') : vscode.l10n.t('Running a script: {0}', escapeMarkdown(hide(title))),
      ),
    progress: (text) => stream.progress(escapeMarkdown(hide(text))),
    warning: (message) => void notes.add(escapeMarkdown(hide(message))),
    writeNotes: () => {
      for (const note of notes) stream.markdown(asNote(note));
    },
  };
}

/** A paragraph of its own that can't be taken for the answer. */
export function asNote(markdown: string): string {
  return `\n\n> ⚠ ${markdown}\n\n`;
}
