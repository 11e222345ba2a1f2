import type { Json } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';

/** A content block in a form that both a response's and a request's types fit. */
export type Block = { readonly type: string; readonly [key: string]: Json };

/** The content of a kept reply; what isn't a block is left out. */
export function blocksOf(value: Json): readonly Block[] {
  return Array.isArray(value)
    ? value.filter((block): block is Block => isObject(block) && typeof block.type === 'string')
    : [];
}
