import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import type { TurnSink } from '../../core/turn/turn';
import { cut } from '../../core/util/cut';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { escapeMarkdown } from '../../core/util/plainText';

/** Longest progress message of a tool that is shown, in characters. */
const MAX_PROGRESS = 300;
/** Longest line of a model's thoughts that is shown, in characters. */
const MAX_THOUGHT = 120;

/** A turn's sink that also shows the progress of tools. */
export interface ChatSink extends TurnSink {
  /** A progress message of a tool. */
  progress(text: string): void;
}

/**
 * Shows a turn in the chat view as it happens. Warnings wait for {@link ChatSink.writeNotes}, because VS Code folds
 * away everything before the last progress message of an answer. Progress messages are Markdown too. They name an
 * action ("Search tools", not "Searching"), since they remain when the action has ended or was cancelled.
 * @param secrets replaces secrets in everything that is written. A secret can arrive in two parts of the answer, so
 * the end of a part may be held back until the next one.
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
    const shown = firstLine(thought) !== undefined;
    thought += delta;
    const line = shown ? undefined : firstLine(thought);
    if (line !== undefined) progress(vscode.l10n.t('Think: {0}', escapeMarkdown(cut(redact(line), MAX_THOUGHT))));
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
    calling: (tool: Tool) => {
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

/** The first line of a summary of thoughts once it is whole, or long enough to be shown. */
function firstLine(thought: string): string | undefined {
  const [line = '', more] = thought.trimStart().split('\n', 2);
  return more !== undefined || line.length > MAX_THOUGHT ? line : undefined;
}

/** A paragraph that can't be mistaken for a part of the answer. */
export function asNote(markdown: string): string {
  return `\n\n> ⚠ ${markdown}\n\n`;
}
