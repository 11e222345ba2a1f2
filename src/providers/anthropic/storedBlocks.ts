import type { Json } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';

/** A content block in a form that fits the types of both responses and requests. */
export type Block = { readonly type: string; readonly [key: string]: Json };

/** Returns the content blocks of a stored reply. Values that aren't blocks are left out. */
export function blocksOf(value: Json): readonly Block[] {
  return Array.isArray(value)
    ? value.filter((block): block is Block => isObject(block) && typeof block.type === 'string')
    : [];
}
