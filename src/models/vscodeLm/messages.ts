import * as vscode from 'vscode';
import { resultText } from '../../core/accounting';
import type { ModelRequest } from '../../core/ports';
import { asObject } from '../../core/searchTools';
import type { Transcript, TranscriptItem } from '../../core/transcript';

/**
 * Renders a request for `vscode.lm`. It has no system role in the stable API, so the guidance leads as a user message.
 * With `asTools` false, calls and results of earlier turns become text: a model without tool calling rejects the parts.
 */
export function toMessages(request: Pick<ModelRequest, 'system' | 'transcript'>, asTools: boolean): vscode.LanguageModelChatMessage[] {
  const messages = request.transcript.flatMap((item) => toMessage(item, asTools));
  return request.system ? [vscode.LanguageModelChatMessage.User(request.system), ...messages] : messages;
}

function toMessage(item: TranscriptItem, asTools: boolean): vscode.LanguageModelChatMessage[] {
  switch (item.kind) {
    case 'user':
      return [vscode.LanguageModelChatMessage.User(item.text)];
    case 'assistant': {
      const text = item.text ? [new vscode.LanguageModelTextPart(item.text)] : [];
      const calls = asTools
        ? item.calls.map((call) => new vscode.LanguageModelToolCallPart(call.callId, call.name, asObject(call.input) ?? {}))
        : [];
      return text.length + calls.length > 0 ? [vscode.LanguageModelChatMessage.Assistant([...text, ...calls])] : [];
    }
    case 'results': {
      const texts = item.results.map((result) => ({ callId: result.callId, text: resultText(result) }));
      if (!asTools) return [vscode.LanguageModelChatMessage.User(texts.map(({ text }) => `Result of a tool: ${text}`).join('\n\n'))];
      return [
        vscode.LanguageModelChatMessage.User(
          texts.map(({ callId, text }) => new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(text)])),
        ),
      ];
    }
  }
}

/** The other way round: what VS Code hands to a model provider, as a transcript. */
export function fromMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): Transcript {
  return messages.flatMap((message): TranscriptItem[] => {
    const text = message.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    if (message.role === vscode.LanguageModelChatMessageRole.Assistant) {
      const calls = message.content.flatMap((part) =>
        part instanceof vscode.LanguageModelToolCallPart ? [{ callId: part.callId, name: part.name, input: part.input }] : [],
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
                  text: part.content.map((piece) => (piece instanceof vscode.LanguageModelTextPart ? piece.value : '')).join('\n'),
                },
              ],
            },
          ]
        : [],
    );
    return [...(results.length > 0 ? [{ kind: 'results' as const, results }] : []), ...(text ? [{ kind: 'user' as const, text }] : [])];
  });
}
