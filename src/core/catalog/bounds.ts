import { isObject } from '../util/objects';
import { hiddenIn, visibleText } from '../util/plainText';
import type { JsonSchema } from './tool';

/**
 * Limits on the levels of a server's schema, on its parts, and on its texts together in characters. Real schemas have
 * less than 12 levels and up to some thousand parts. Much larger ones are a mistake or an attack.
 */
const MAX_DEPTH = 40;
const MAX_PARTS = 20_000;
const MAX_CHARS = 2_000_000;

/** Marks a part that is left out because the schema is too large. */
const OUT = Symbol('out');

/**
 * Returns a schema of limited depth and size, so that it can't break code that walks or stores it. Invisible characters
 * are removed from its texts, so that the user can read everything that a model reads. If nothing has to be changed, as
 * for all real schemas, the result is the same object. Parts that are cut accept any arguments.
 */
export function boundSchema(schema: JsonSchema): BoundSchema {
  const isWhole = isWithin(schema);
  const bounded = isWhole ? schema : copyWithin(schema, 0, { parts: MAX_PARTS, chars: MAX_CHARS });
  const hidden = new Set<string>();
  const shown = visible(bounded, hidden);
  return { schema: isObject(shown) ? shown : { type: 'object' }, cut: !isWhole, hidden: [...hidden].join(', ') };
}

interface BoundSchema {
  readonly schema: JsonSchema;
  readonly cut: boolean;
  /** The kinds of hidden characters that the schema's texts contained; see `hiddenIn`. */
  readonly hidden: string;
}

/** Keywords with texts for readers. Names and values of arguments aren't changed, because calls need them exactly. */
const WORDS: ReadonlySet<string> = new Set(['description', 'title', '$comment']);

function visible(value: unknown, hidden: Set<string>, key = ''): unknown {
  const note = (text: string) => {
    if (!/[^ -~\t\n\r]/.test(text)) return;
    for (const kind of hiddenIn(text).split(', ')) if (kind !== '') hidden.add(kind);
  };
  if (typeof value === 'string') {
    note(value);
    return WORDS.has(key) ? visibleText(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  let same = true;
  const entries = Object.entries(value);
  for (const entry of entries) {
    const [name, part] = entry;
    note(name);
    entry[1] = visible(part, hidden, name);
    same &&= entry[1] === part;
  }
  if (same) return value;
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Whether a schema is within the limits. Doesn't use recursion, because the schema may be too deep for it. */
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
      // A shortened list of allowed values would forbid the missing ones, so the whole list is left out.
      if (copy === OUT) return OUT;
      items.push(copy);
    }
    return items;
  }
  return isObject(value) ? copyObject(value, depth, room) : value;
}

/** Copies an object without the keywords that forbid unlisted arguments, since the list may have been cut. */
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
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(result, key, { value: copy, enumerable: true, configurable: true, writable: true });
  }
  return result;
}
