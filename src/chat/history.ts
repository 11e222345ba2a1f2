import * as vscode from 'vscode';
import type { Transcript } from '../core/transcript/transcript';

/** The form of what is kept in `ChatResult.metadata`; a turn of another form is read as its text alone. */
const VERSION = 1;

interface TurnMetadata {
  readonly toolsearch: { readonly version: number; readonly items: Transcript };
}

/** What a turn leaves behind: VS Code keeps it with the chat, through reloads. */
export function turnMetadata(items: Transcript): TurnMetadata {
  return { toolsearch: { version: VERSION, items } };
}

/** The conversation so far, out of the turns' metadata. Slash commands left none, and no model has to know of them. */
export function readHistory(history: vscode.ChatContext['history']): Transcript {
  let prompt = '';
  return history.flatMap((turn): Transcript => {
    if (turn instanceof vscode.ChatRequestTurn) {
      prompt = turn.command ? '' : turn.prompt;
      return [];
    }
    const kept = itemsOf(turn.result.metadata);
    if (kept) return kept;
    const text = turn.response.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : '')).join('');
    return prompt && text && !turn.command
      ? [
          { kind: 'user', text: prompt },
          { kind: 'assistant', text, calls: [] },
        ]
      : [];
  });
}

function itemsOf(metadata: unknown): Transcript | undefined {
  const kept = (metadata as Partial<TurnMetadata> | undefined)?.toolsearch;
  return kept?.version === VERSION && Array.isArray(kept.items) ? kept.items : undefined;
}
