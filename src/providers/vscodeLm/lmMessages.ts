import * as vscode from 'vscode';
import { resultText } from '../../core/conversation/resultText';
import type { Transcript, TranscriptItem } from '../../core/conversation/transcript';
import { notesFirst } from '../../core/conversation/unanswered';
import { transcriptFor, withoutCalls } from '../../core/conversation/wireTranscript';
import type { ModelRequest } from '../../core/ports';
import { asObject } from '../../core/util/objects';

// Converts conversations to and from the messages of `vscode.lm`.

/**
 * Converts a request to messages for `vscode.lm`. The stable API has no system role, so the instructions are the first
 * user message.
 * @param asTools if false, results of earlier turns become text: a model without tool calling rejects result parts
 */
export function toMessages(
  request: Pick<ModelRequest, 'system' | 'transcript'>,
  asTools: boolean,
): vscode.LanguageModelChatMessage[] {
  // A model without notes reads the last message as the question, so notes are moved before it.
  const transcript = notesFirst(transcriptFor(undefined, request.transcript));
  const messages = (asTools ? transcript : withoutCalls(transcript)).flatMap(toMessage);
  return request.system ? [vscode.LanguageModelChatMessage.User(request.system), ...messages] : messages;
}

function toMessage(item: TranscriptItem): vscode.LanguageModelChatMessage[] {
  switch (item.kind) {
    case 'user':
      // A note without text only names added tools, which these models can't use. Providers refuse empty messages.
      return item.note && item.text === '' ? [] : [vscode.LanguageModelChatMessage.User(item.text)];
    case 'assistant': {
      const text = item.text ? [new vscode.LanguageModelTextPart(item.text)] : [];
      const calls = item.calls.map(
        (call) => new vscode.LanguageModelToolCallPart(call.callId, call.name, asObject(call.input) ?? {}),
      );
      return text.length + calls.length > 0 ? [vscode.LanguageModelChatMessage.Assistant([...text, ...calls])] : [];
    }
    case 'results': {
      const parts = item.results.map(
        (result) =>
          new vscode.LanguageModelToolResultPart(result.callId, [new vscode.LanguageModelTextPart(resultText(result))]),
      );
      return [vscode.LanguageModelChatMessage.User(parts)];
    }
  }
}

/** Converts messages from VS Code to a transcript. */
export function fromMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): Transcript {
  return messages.flatMap((message): TranscriptItem[] => {
    const text = message.content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('');
    if (message.role === vscode.LanguageModelChatMessageRole.Assistant) {
      const calls = message.content.flatMap((part) =>
        part instanceof vscode.LanguageModelToolCallPart
          ? [{ callId: part.callId, name: part.name, input: part.input }]
          : [],
      );
      return [{ kind: 'assistant', text, calls }];
    }
    const results = message.content.flatMap((part) =>
      part instanceof vscode.LanguageModelToolResultPart
        ? [
            {
              callId: part.callId,
              outcome: 'ok' as const,
              parts: [
                {
                  type: 'text' as const,
                  text: part.content
                    .map((piece) => (piece instanceof vscode.LanguageModelTextPart ? piece.value : ''))
                    .join('\n'),
                },
              ],
            },
          ]
        : [],
    );
    return [
      ...(results.length > 0 ? [{ kind: 'results' as const, results }] : []),
      ...(text ? [{ kind: 'user' as const, text }] : []),
    ];
  });
}
