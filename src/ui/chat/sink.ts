import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import type { TurnSink } from '../../core/turn/turn';
import { cut } from '../../core/util/cut';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { escapeMarkdown } from '../../core/util/plainText';

/** How much of what a tool says of how far it has come is shown, in characters. */
const MAX_PROGRESS = 300;

/** A turn's sink that tools have a say in too. */
export interface ChatSink extends TurnSink {
  /** How far a call has come, in the tool's own words. */
  progress(text: string): void;
}

/**
 * Shows a turn in the chat view as it happens. Progress is Markdown too. Warnings wait for {@link writeNotes}: VS Code folds
 * all that stands before the last progress of an answer away.
 * @param secrets are taken out, before they are written in a way in which nobody knows them; of the model's words also one that
 * comes in two parts, so that the end of what it has said so far may be held back until there is more
 */
export function createChatSink(
  stream: vscode.ChatResponseStream,
  { redact, inParts }: Pick<KnownSecrets, 'redact' | 'inParts'>,
): ChatSink & { writeNotes(): void } {
  const notes = new Set<string>();
  const words = inParts();
  const say = (text: string) => {
    if (text !== '') stream.markdown(text);
  };
  const progress = (text: string) => {
    say(words.end());
    stream.progress(text);
  };
  return {
    text: (delta) => say(words.add(delta)),
    searching: (queries) =>
      progress(
        vscode.l10n.t('Searching tools: {0}', queries.map((query) => `“${escapeMarkdown(redact(query))}”`).join(', ')),
      ),
    found: (tools) => progress(vscode.l10n.t('Found {0}', escapeMarkdown(tools.map((tool) => tool.id).join(', ')))),
    calling: (tool: Tool) => progress(vscode.l10n.t('Calling {0}', escapeMarkdown(tool.id))),
    running: (title) =>
      progress(
        title === ''
          ? vscode.l10n.t('Running a script')
          : vscode.l10n.t('Running a script: {0}', escapeMarkdown(redact(title))),
      ),
    progress: (text) => progress(escapeMarkdown(cut(redact(text), MAX_PROGRESS))),
    waiting: (models, seconds) => progress(vscode.l10n.t('{0} asks to wait {1} s', models, seconds)),
    warning: (message) => void notes.add(escapeMarkdown(redact(message))),
    writeNotes: () => {
      say(words.end());
      for (const note of notes) stream.markdown(asNote(note));
    },
  };
}

/** A paragraph of its own that can't be taken for the answer. */
export function asNote(markdown: string): string {
  return `\n\n> ⚠ ${markdown}\n\n`;
}
