import * as vscode from 'vscode';
import { resultText } from '../../core/conversation/resultText';
import type { ResultPart, TranscriptItem } from '../../core/conversation/transcript';
import { notesFirst } from '../../core/conversation/unanswered';
import { transcriptFor, withoutCalls } from '../../core/conversation/wireTranscript';
import type { ModelRequest } from '../../core/ports';
import { asObject } from '../../core/util/objects';
import { isShown } from '../shownParts';

/**
 * Converts a request to messages for `vscode.lm`. The stable API has no system role, so the instructions are the first
 * user message.
 * @param reads what the model reads. Without `results`, results of earlier turns become text, because a model without
 * tool calling rejects result parts. Without `images`, a note replaces each image.
 */
export function toMessages(
  request: Pick<ModelRequest, 'system' | 'transcript'>,
  reads: { readonly results: boolean; readonly images: boolean },
): vscode.LanguageModelChatMessage[] {
  // A model without notes reads the last message as the question, so notes are moved before it.
  const transcript = notesFirst(transcriptFor(undefined, request.transcript));
  const messages = (reads.results ? transcript : withoutCalls(transcript)).flatMap((item) =>
    toMessage(item, reads.images),
  );
  return request.system ? [vscode.LanguageModelChatMessage.User(request.system), ...messages] : messages;
}

function toMessage(item: TranscriptItem, readsImages: boolean): vscode.LanguageModelChatMessage[] {
  switch (item.kind) {
    case 'user':
      // A note without text only names added tools, which these models can't use. Providers refuse empty messages.
      return item.note && item.text === '' ? [] : [vscode.LanguageModelChatMessage.User(userParts(item, readsImages))];
    case 'assistant': {
      const text = item.text ? [new vscode.LanguageModelTextPart(item.text)] : [];
      const calls = item.calls.map(
        (call) => new vscode.LanguageModelToolCallPart(call.callId, call.name, asObject(call.input) ?? {}),
      );
      return text.length + calls.length > 0 ? [vscode.LanguageModelChatMessage.Assistant([...text, ...calls])] : [];
    }
    case 'results': {
      const parts = item.results.map(
        ({ callId, parts }) =>
          new vscode.LanguageModelToolResultPart(callId, readsImages ? parts.map(toPart) : [asText(parts)]),
      );
      return [vscode.LanguageModelChatMessage.User(parts)];
    }
  }
}

function userParts(
  { text, images = [] }: Extract<TranscriptItem, { kind: 'user' }>,
  readsImages: boolean,
): string | (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[] {
  const shown = images.map(readsImages ? toPart : (image) => asText([image]));
  return images.length === 0 ? text : [...(text ? [new vscode.LanguageModelTextPart(text)] : []), ...shown];
}

function toPart(part: ResultPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.type === 'image' && isShown(part)
    ? vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType)
    : asText([part]);
}

function asText(parts: readonly ResultPart[]): vscode.LanguageModelTextPart {
  return new vscode.LanguageModelTextPart(resultText({ parts }));
}
