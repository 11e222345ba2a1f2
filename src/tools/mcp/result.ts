import type { ToolRun } from '../../core/ports';
import { isObject } from '../../core/text/objects';
import { sameJson } from '../../core/text/sameJson';
import type { ResultPart } from '../../core/transcript/transcript';

/** Makes a run of what a server answered to `tools/call`, however it looks. */
export function toRun(result: { readonly [key: string]: unknown }): ToolRun {
  const content = Array.isArray(result.content) ? result.content : [];
  const parts = content.map(toPart);
  const { structuredContent } = result;
  // Servers should repeat it as text; most do.
  if (structuredContent !== undefined && !parts.some((part) => part.type === 'text' && holds(part.text, structuredContent)))
    parts.push({ type: 'text', text: JSON.stringify(structuredContent) });
  if (!Array.isArray(result.content) && structuredContent === undefined)
    return { outcome: 'failed', parts: [{ type: 'text', text: 'The server answered with something that is no result of a tool.' }] };
  return { outcome: result.isError === true ? 'failed' : 'ok', parts };
}

function toPart(item: unknown): ResultPart {
  if (!isObject(item)) return { type: 'text', text: JSON.stringify(item) ?? '' };
  switch (item.type) {
    case 'text':
      return { type: 'text', text: String(item.text ?? '') };
    case 'image':
    case 'audio':
      return omitted(item.mimeType, item.data);
    case 'resource_link': {
      const about = [item.uri, item.mimeType, item.title ?? item.name, item.description].filter(
        (it) => typeof it === 'string' && it !== '',
      );
      return { type: 'text', text: `[Resource: ${about.join(', ')}]` };
    }
    case 'resource':
      return resourcePart(isObject(item.resource) ? item.resource : {});
    default:
      return { type: 'text', text: JSON.stringify(item) };
  }
}

function resourcePart(resource: { readonly [key: string]: unknown }): ResultPart {
  if (typeof resource.text === 'string') return { type: 'text', text: resource.text };
  const isText = typeof resource.mimeType === 'string' && /^text\/|[/+](json|xml|yaml|javascript)\b/.test(resource.mimeType);
  return isText && typeof resource.blob === 'string'
    ? { type: 'text', text: Buffer.from(resource.blob, 'base64').toString('utf8') }
    : omitted(resource.mimeType, resource.blob);
}

function omitted(mimeType: unknown, base64: unknown): ResultPart {
  return {
    type: 'omitted',
    mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream',
    bytes: typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0,
  };
}

function holds(text: string, value: unknown): boolean {
  try {
    return sameJson(JSON.parse(text), value);
  } catch {
    return false;
  }
}
