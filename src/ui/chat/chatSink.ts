import * as vscode from 'vscode';
import type { TurnSink } from '../../core/turn/turn';
import { cut } from '../../core/util/cut';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { escapeMarkdown } from '../../core/util/plainText';

/** The maximum number of characters of a tool's progress message that are shown. */
const MAX_PROGRESS = 300;
/** The maximum number of characters of a line of a model's thinking that are shown. */
const MAX_THOUGHT = 120;

/** A turn's output that also shows the progress of tools. */
export interface ChatSink extends TurnSink {
  /** Shows a progress message of a tool. */
  progress(text: string): void;
}

/**
 * Creates the sink that shows a turn in the chat view. Warnings are shown by {@link ChatSink.writeNotes} at the end,
 * since VS Code folds everything before the last progress message. Progress messages are Markdown. They name an action
 * ("Search tools", not "Searching"), since they remain visible after the action has ended.
 * @param secrets removes secrets from everything that is written. A secret may come in two parts of an answer, so the
 * end of a part may be held back until the next part.
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
  let thought = '';
  const thinking = (delta: string) => {
    if (firstLine(thought) !== undefined) return;
    thought += delta;
    const line = firstLine(thought);
    if (line !== undefined) progress(vscode.l10n.t('Thinking: {0}', escapeMarkdown(cut(redact(line), MAX_THOUGHT))));
  };
  return {
    text: (delta) => {
      thought = '';
      say(words.add(delta));
    },
    thinking,
    searching: (queries) =>
      progress(
        vscode.l10n.t('Search tools: {0}', queries.map((query) => `“${escapeMarkdown(redact(query))}”`).join(', ')),
      ),
    found: (tools) => progress(vscode.l10n.t('Found {0}', escapeMarkdown(tools.map((tool) => tool.id).join(', ')))),
    calling: (tool) => {
      thought = '';
      progress(vscode.l10n.t('Call {0}', escapeMarkdown(tool.id)));
    },
    running: (title) =>
      progress(
        title === ''
          ? vscode.l10n.t('Run a script')
          : vscode.l10n.t('Run a script: {0}', escapeMarkdown(redact(title))),
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

/** Returns the first line of a summary of thinking if it is complete or long enough; otherwise undefined. */
function firstLine(thought: string): string | undefined {
  const [line = '', more] = thought.trimStart().split('\n', 2);
  return more !== undefined || line.length > MAX_THOUGHT ? line : undefined;
}

/** Returns a paragraph that looks different from an answer. */
export function asNote(markdown: string): string {
  return `\n\n> ⚠ ${markdown}\n\n`;
}
