// Converts the answers of MCP servers to runs of tools.

import type { Json, Tool } from '../../../core/catalog/tool';
import { type ToolRun, toolMessage } from '../../../core/ports';
import { isObject, jsonText } from '../../../core/util/objects';
import { type GivenPart, readResult } from '../../readResult';

type ResultItem = { readonly [key: string]: unknown };

export function toRun(answer: ResultItem, item?: Tool['item']): ToolRun {
  if (!item) return toolRun(answer);
  return item.kind === 'prompt' ? promptRun(answer) : contentsRun(answer);
}

function toolRun(result: ResultItem): ToolRun {
  const { content, structuredContent } = result;
  if (!Array.isArray(content) && structuredContent === undefined)
    return toolMessage('failed', 'The server answered with something that is no result of a tool.');
  return readResult({
    outcome: result.isError === true ? 'failed' : 'ok',
    parts: forModel(Array.isArray(content) ? content : []),
    // The value is JSON, since it was received as JSON.
    structured: structuredContent as Json | undefined,
  });
}

function contentsRun({ contents }: ResultItem): ToolRun {
  if (!Array.isArray(contents))
    return toolMessage('failed', 'The server answered with something that is no content of a resource.');
  return toolRun({ content: contents.map((resource) => ({ type: 'resource', resource })) });
}

/** Converts an answer to `prompts/get`. Roles are shown only if the prompt contains an example of an answer. */
function promptRun({ messages }: ResultItem): ToolRun {
  if (!Array.isArray(messages)) return toolMessage('failed', 'The server answered with something that is no prompt.');
  const said = messages.filter(isObject);
  const hasRoles = said.some(({ role }) => role === 'assistant');
  return toolRun({
    content: said.flatMap(({ role, content }) => [
      ...(hasRoles ? [{ type: 'text', text: `${words(role)}:` }] : []),
      ...[content].flat(),
    ]),
  });
}

/** Returns the texts of a result that are for the user only. The model doesn't get them, as in VS Code. */
export function textsForUser({ content }: ResultItem): readonly string[] {
  const items: readonly unknown[] = Array.isArray(content) ? content : [];
  return items.flatMap((item) =>
    isObject(item) && item.type === 'text' && audienceOf(item)?.includes('user') ? [textOf(item)] : [],
  );
}

function* forModel(content: readonly unknown[]): Generator<GivenPart> {
  for (const item of content) if (isForModel(item)) yield given(item);
}

function isForModel(item: unknown): boolean {
  return !isObject(item) || (audienceOf(item)?.includes('assistant') ?? true);
}

function audienceOf({ annotations }: ResultItem): readonly unknown[] | undefined {
  return isObject(annotations) && Array.isArray(annotations.audience) ? annotations.audience : undefined;
}

function given(item: unknown): GivenPart {
  if (!isObject(item)) return text(jsonText(item));
  switch (item.type) {
    case 'text':
      return text(textOf(item));
    case 'image':
    case 'audio':
      return data(item.mimeType, item.data);
    case 'resource_link':
      return {
        kind: 'link',
        uri: words(item.uri),
        about: [item.mimeType, item.title ?? item.name, item.description].map(words),
        ...(typeof item.size === 'number' && item.size >= 0 ? { size: item.size } : {}),
        ...(words(item.uri) === '' ? {} : { address: words(item.uri) }),
      };
    case 'resource': {
      const resource = isObject(item.resource) ? item.resource : {};
      return typeof resource.text === 'string' ? text(resource.text) : data(resource.mimeType, resource.blob);
    }
    default:
      return text(jsonText(item));
  }
}

/** Returns the text of a part, even if the server sent no string. */
function textOf({ text: given = '' }: ResultItem): string {
  return typeof given === 'string' ? given : jsonText(given);
}

function text(value: string): GivenPart {
  return { kind: 'text', text: value };
}

function data(mimeType: unknown, base64: unknown): GivenPart {
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
  return { kind: 'data', mimeType: type, data: Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64') };
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
