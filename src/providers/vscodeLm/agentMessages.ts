import * as vscode from 'vscode';
import type { AgentItem } from '../../core/agents/replyCache';
import type { ImagePart, ResultPart, TranscriptItem } from '../../core/conversation/transcript';
import { parseJson } from '../../core/util/objects';

/**
 * The type of the data part that holds a reply's hidden content. If an agent sends the part back, the model needn't
 * search again.
 */
export const KEPT_MIME = 'application/vnd.toolsearch.reply+json';

/** The role of a system message. VS Code passes it, but the stable typings don't have it. */
const SYSTEM_ROLE = 3;

/** Reads the conversation that VS Code passes to one of the extension's models. */
export function readConversation(messages: readonly vscode.LanguageModelChatRequestMessage[]) {
  const system: string[] = [];
  const items: AgentItem[] = [];
  for (const { role, content } of messages) {
    const text = textOf(content);
    if ((role as number) === SYSTEM_ROLE) system.push(text);
    else if (role === vscode.LanguageModelChatMessageRole.Assistant) items.push(assistantItem(content, text));
    else items.push(...userItems(content, text).map((item) => ({ item })));
  }
  return { system: system.filter(Boolean).join('\n\n'), items };
}

function assistantItem(content: readonly unknown[], text: string): AgentItem {
  const calls = content.flatMap((part) =>
    part instanceof vscode.LanguageModelToolCallPart
      ? [{ callId: part.callId, name: part.name, input: part.input }]
      : [],
  );
  const kept = content.find((part) => part instanceof vscode.LanguageModelDataPart && part.mimeType === KEPT_MIME);
  const item: TranscriptItem = { kind: 'assistant', text, calls };
  return kept ? { item, kept: parseJson(decode((kept as vscode.LanguageModelDataPart).data)) } : { item };
}

function userItems(content: readonly unknown[], text: string): TranscriptItem[] {
  const results = content.flatMap((part) =>
    part instanceof vscode.LanguageModelToolResultPart
      ? [{ callId: part.callId, outcome: 'ok' as const, parts: part.content.flatMap(resultPart) }]
      : [],
  );
  const images = content.flatMap((part) => (part instanceof vscode.LanguageModelDataPart ? imagePart(part) : []));
  return [
    ...(results.length > 0 ? [{ kind: 'results' as const, results }] : []),
    ...(text || images.length > 0 ? [{ kind: 'user' as const, text, ...(images.length > 0 ? { images } : {}) }] : []),
  ];
}

function textOf(content: readonly unknown[]): string {
  return content
    .map((part) => {
      if (part instanceof vscode.LanguageModelTextPart) return part.value;
      return part instanceof vscode.LanguageModelDataPart && isText(part.mimeType) ? decode(part.data) : '';
    })
    .join('');
}

function resultPart(part: unknown): ResultPart[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return [{ type: 'text', text: JSON.stringify(part.value) ?? '' }];
  if (!(part instanceof vscode.LanguageModelDataPart)) return [];
  if (isText(part.mimeType)) return [{ type: 'text', text: decode(part.data) }];
  const image = imagePart(part);
  return image.length > 0 ? image : [{ type: 'omitted', mimeType: part.mimeType, bytes: part.data.byteLength }];
}

function imagePart(part: vscode.LanguageModelDataPart): ImagePart[] {
  if (!/^image\/(png|jpeg|gif|webp)$/.test(part.mimeType)) return [];
  const { mimeType, data } = part;
  return [{ type: 'image', mimeType, bytes: data.byteLength, data: Buffer.from(data).toString('base64') }];
}

/** Whether a data part is text. Custom `…+json` types aren't, since only their owner knows what they mean. */
function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType === 'application/json';
}

function decode(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}
