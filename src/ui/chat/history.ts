import * as vscode from 'vscode';
import type { Transcript } from '../../core/conversation/transcript';
import { readTranscript } from '../../core/conversation/transcript';
import type { CutOff } from '../../core/ledger/cutOffTurns';
import { asObject } from '../../core/util/objects';
import { isQuestion } from './questionCommands';

/** The version of the data in `ChatResult.metadata`. A turn with another version is read as plain text. */
const VERSION = 1;

interface TurnMetadata {
  /** `turn` is the turn's number in the ledger; undefined if no model was asked. */
  readonly toolsearch: { readonly version: number; readonly items: Transcript; readonly turn?: number };
}

/** Returns the metadata of a turn. VS Code stores it with the chat, also after a reload. */
export function turnMetadata(items: Transcript, turn?: number): TurnMetadata {
  return { toolsearch: { version: VERSION, items, ...(turn === undefined ? {} : { turn }) } };
}

/**
 * Reads the conversation so far from the turns' metadata. Slash commands have none, since no model needs to know about
 * them.
 * @param cutOff returns the items of a cancelled question, by its words, if VS Code has stored no answer
 * @param retried returns the earlier items of the present question if it is repeated; VS Code has removed them from the
 * history
 * @returns the conversation; `retried` is separate, since it must be stored in the present turn's metadata
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
    // A question without an answer is included only if an error ended it.
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

/** Returns the items in a turn's metadata; undefined if it has none or another version. */
export function keptItems(metadata: unknown): Transcript | undefined {
  const { version, items } = asObject(asObject(metadata)?.toolsearch) ?? {};
  return version === VERSION ? readTranscript(items) : undefined;
}

/** Returns a turn's number in the ledger of its window. */
export function keptTurn(metadata: unknown): number | undefined {
  const { turn } = asObject(asObject(metadata)?.toolsearch) ?? {};
  return typeof turn === 'number' ? turn : undefined;
}
