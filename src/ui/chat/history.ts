import * as vscode from 'vscode';
import type { Transcript } from '../../core/conversation/transcript';
import { readTranscript } from '../../core/conversation/transcript';
import type { CutOff } from '../../core/ledger/cutOff';
import { asObject } from '../../core/util/objects';
import { isQuestion } from './slashCommands';

/** The form of what is kept in `ChatResult.metadata`; a turn of another form is read as its text alone. */
const VERSION = 1;

interface TurnMetadata {
  /** `turn`: its number in the ledger; absent where it is no turn of a model. */
  readonly toolsearch: { readonly version: number; readonly items: Transcript; readonly turn?: number };
}

/** What a turn leaves behind: VS Code keeps it with the chat, through reloads. */
export function turnMetadata(items: Transcript, turn?: number): TurnMetadata {
  return { toolsearch: { version: VERSION, items, ...(turn === undefined ? {} : { turn }) } };
}

/**
 * The conversation so far, out of the turns' metadata. Slash commands left none, and no model has to know of them.
 * @param cutOff what is known of a question that was cut off, by its words, where VS Code has kept nothing of what came of it
 * @param retried what had run for the question that is asked now, where VS Code has taken it out of the history to ask it again, by
 * the turns that are in it
 * @returns `retried` apart, since it belongs to what the turn that is asked now leaves behind: nothing else keeps it
 */
export function readHistory(
  history: vscode.ChatContext['history'],
  cutOff: (prompt: string, known: ReadonlySet<number>) => CutOff | undefined = () => undefined,
  retried: (known: ReadonlySet<number>) => Transcript = () => [],
): { readonly history: Transcript; readonly retried: Transcript } {
  let prompt = '';
  const known = new Set(
    history.flatMap((turn) => (turn instanceof vscode.ChatResponseTurn ? (keptTurn(turn.result.metadata) ?? []) : [])),
  );
  const lost = () => {
    const found = prompt ? cutOff(prompt, known) : undefined;
    if (found) known.add(found.turn);
    return found?.items;
  };
  const before = history.flatMap((turn, index): Transcript => {
    if (turn instanceof vscode.ChatRequestTurn) {
      prompt = isQuestion(turn.command) ? turn.prompt : '';
      const isAnswered = history[index + 1] instanceof vscode.ChatResponseTurn;
      return (!isAnswered && lost()) || [];
    }
    const kept = keptItems(turn.result.metadata);
    if (kept) return kept;
    const text = turn.response
      .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
      .join('');
    // One that an error ended is no longer pending; without that, one without an answer was none.
    const failed = turn.result.errorDetails !== undefined;
    const cut = lost();
    if (cut) return cut;
    if (!prompt || !(text || failed)) return [];
    return [
      { kind: 'user', text: prompt, ...(failed ? { unanswered: 'failed' as const } : {}) },
      ...(text ? [{ kind: 'assistant' as const, text, calls: [] }] : []),
    ];
  });
  return { history: before, retried: retried(known) };
}

/** What a turn of ours has left in its metadata; undefined where it is of another form, or of none. */
export function keptItems(metadata: unknown): Transcript | undefined {
  const { version, items } = asObject(asObject(metadata)?.toolsearch) ?? {};
  return version === VERSION ? readTranscript(items) : undefined;
}

/** The number of a turn in the ledger of the window that it was asked in. */
export function keptTurn(metadata: unknown): number | undefined {
  const { turn } = asObject(asObject(metadata)?.toolsearch) ?? {};
  return typeof turn === 'number' ? turn : undefined;
}
