import { isObject } from '../util/objects';
import { hiddenIn, visibleText } from '../util/plainText';
import type { JsonSchema } from './tool';

/** Real schemas end before a depth of 12 and hold up to some thousand parts; what is far beyond is a mistake or an attack. */
const MAX_DEPTH = 40;
const MAX_PARTS = 20_000;
/** All texts of a schema together, in characters. */
const MAX_CHARS = 2_000_000;

/** Left out: stands for a part for which there is no room. */
const OUT = Symbol('out');

/**
 * A schema of bounded depth and size, so that nothing that walks or keeps it can be made to fail, and without words that nobody
 * sees: what a model reads of an argument, the user can read too. The same object where nothing is to be done, as of all real
 * ones. What is cut is left open: arguments that it spoke of are let through.
 */
export function boundSchema(schema: JsonSchema): BoundSchema {
  const isWhole = isWithin(schema);
  const bounded = isWhole ? schema : copyWithin(schema, 0, { parts: MAX_PARTS, chars: MAX_CHARS });
  const hidden = new Set<string>();
  return { schema: asObject(visible(bounded, hidden)), cut: !isWhole, hidden: [...hidden].join(', ') };
}

interface BoundSchema {
  readonly schema: JsonSchema;
  readonly cut: boolean;
  /** The kinds of characters that were hidden in its words; see `hiddenIn`. */
  readonly hidden: string;
}

function asObject(value: unknown): JsonSchema {
  return isObject(value) ? value : { type: 'object' };
}

/** Words for readers. Names and values of arguments stay as they are: calls need them so. */
const WORDS: ReadonlySet<string> = new Set(['description', 'title', '$comment']);

function visible(value: unknown, hidden: Set<string>, key = ''): unknown {
  if (typeof value === 'string') {
    if (!WORDS.has(key) || !/[^ -~\t\n\r]/.test(value)) return value;
    for (const kind of hiddenIn(value).split(', ')) if (kind !== '') hidden.add(kind);
    return visibleText(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  let same = true;
  const entries = Object.entries(value);
  for (const entry of entries) {
    const [name, part] = entry;
    entry[1] = visible(part, hidden, name);
    same &&= entry[1] === part;
  }
  if (same) return value;
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Walks without recursion: the depth is what is in question. */
function isWithin(schema: JsonSchema): boolean {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  let parts = 0;
  let chars = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') chars += value.length;
    if (++parts > MAX_PARTS || chars > MAX_CHARS || depth > MAX_DEPTH) return false;
    if (typeof value !== 'object' || value === null) continue;
    const keys = Object.keys(value);
    if (parts + waiting.length + keys.length > MAX_PARTS) return false;
    for (const key of keys) {
      chars += Array.isArray(value) ? 0 : key.length;
      waiting.push({ value: value[key as keyof typeof value], depth: depth + 1 });
    }
  }
  return true;
}

function copyWithin(value: unknown, depth: number, room: { parts: number; chars: number }): unknown {
  if (depth > MAX_DEPTH || room.parts <= 0) return OUT;
  room.parts--;
  if (typeof value === 'string') {
    if (value.length > room.chars) return OUT;
    room.chars -= value.length;
    return value;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const copy = copyWithin(item, depth + 1, room);
      // Half a list of allowed values would forbid the other half.
      if (copy === OUT) return OUT;
      items.push(copy);
    }
    return items;
  }
  return isObject(value) ? copyObject(value, depth, room) : value;
}

/** Without what forbids arguments that aren't listed: they may have been. */
function copyObject(
  value: { readonly [key: string]: unknown },
  depth: number,
  room: { parts: number; chars: number },
): JsonSchema {
  const result: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) {
    if (room.parts <= 0) break;
    if (key === 'additionalProperties' || key === 'unevaluatedProperties' || key.length > room.chars) continue;
    const copy = copyWithin(value[key], depth + 1, room);
    if (copy === OUT) continue;
    room.chars -= key.length;
    Object.defineProperty(result, key, { value: copy, enumerable: true, configurable: true, writable: true });
  }
  return result;
}
