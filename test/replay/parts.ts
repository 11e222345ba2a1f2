import type { Json } from '../../src/core/catalog/tool';
import { isObject } from '../../src/core/util/objects';
import type { Entry } from './wire';

/**
 * The blocks or items that a model or its service wrote in one response. Those of a stream are assembled from its
 * events.
 */
export function partsOf(body: Json): readonly Entry[] {
  if (typeof body !== 'string') return isObject(body) ? entries(body.output ?? body.content) : [];
  const parts: Part[] = [];
  const open = new Map<unknown, Part>();
  for (const event of eventsOf(body)) {
    if (event.type === 'message_start' && isObject(event.message))
      parts.push(...entries(event.message.content as Json));
    // Only an item's end counts: a program's fingerprint and result differ before it.
    if (event.type === 'response.output_item.done' && isObject(event.item)) parts.push(event.item as Entry);
    if (event.type === 'content_block_start' && isObject(event.content_block)) {
      const part: Part = { ...(event.content_block as Entry) };
      parts.push(part);
      open.set(event.index, part);
    }
    const part = open.get(event.index);
    if (part && event.type === 'content_block_delta' && isObject(event.delta)) grow(part, event.delta as Entry);
    if (part && event.type === 'content_block_stop') close(part);
  }
  return parts.map(({ [JSON_SO_FAR]: _, ...part }) => part);
}

type Part = { [key: string]: Json };

/** The key under which a block's arguments are collected until they are complete. */
const JSON_SO_FAR = 'json so far';
/** The field of a block that a delta extends, by the delta's type. */
const GROWN: { readonly [delta: string]: string } = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

function grow(part: Part, delta: Entry): void {
  const field = delta.type === 'input_json_delta' ? JSON_SO_FAR : GROWN[String(delta.type)];
  if (field === undefined) throw new Error(`An unknown delta: ${String(delta.type)}`);
  part[field] =
    `${String(part[field] ?? '')}${String(delta.type === 'input_json_delta' ? delta.partial_json : delta[field])}`;
}

function close(part: Part): void {
  const json = part[JSON_SO_FAR];
  if (json) part.input = JSON.parse(String(json)) as Json;
}

function entries(value: Json | undefined): readonly Entry[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((entry): entry is Entry => isObject(entry)) : [];
}

/** The events of a stream, in order. */
export function eventsOf(body: string): readonly Entry[] {
  return body.split('\n').flatMap((line) => {
    if (!line.startsWith('data: ') || line === 'data: [DONE]') return [];
    const event: unknown = JSON.parse(line.slice('data: '.length));
    return isObject(event) ? [event as Entry] : [];
  });
}
