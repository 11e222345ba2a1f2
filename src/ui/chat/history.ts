import * as vscode from 'vscode';
import type { Transcript } from '../../core/conversation/transcript';
import { readTranscript } from '../../core/conversation/transcript';
import type { CutOff } from '../../core/ledger/cutOff';
import { asObject } from '../../core/util/objects';
import { isQuestion } from './questionCommands';

/** Version of the data in `ChatResult.metadata`. A turn with another version is read as plain text. */
const VERSION = 1;

interface TurnMetadata {
  /** `turn`: its number in the ledger; absent if no model was asked. */
  readonly toolsearch: { readonly version: number; readonly items: Transcript; readonly turn?: number };
}

/** The metadata of a turn. VS Code keeps it with the chat, also through reloads. */
export function turnMetadata(items: Transcript, turn?: number): TurnMetadata {
  return { toolsearch: { version: VERSION, items, ...(turn === undefined ? {} : { turn }) } };
}

/**
 * Reads the conversation so far from the turns' metadata. Slash commands have none: no model has to know about them.
 * @param cutOff finds a question that was cut off, by its words, if VS Code has kept nothing of its answer
 * @param retried finds the items of the present question if it is asked again; VS Code has removed it from the history
 * @returns `retried` separately, because only the metadata of the present turn can keep it
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
    // A question without an answer counts only if an error ended it.
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

/** The items in the metadata of a turn; undefined if it has none, or another version. */
export function keptItems(metadata: unknown): Transcript | undefined {
  const { version, items } = asObject(asObject(metadata)?.toolsearch) ?? {};
  return version === VERSION ? readTranscript(items) : undefined;
}

/** The number of a turn in the ledger of its window. */
export function keptTurn(metadata: unknown): number | undefined {
  const { turn } = asObject(asObject(metadata)?.toolsearch) ?? {};
  return typeof turn === 'number' ? turn : undefined;
}
