import type { JsonSchema } from '../../core/catalog/tool';
import { parseJson } from '../../core/util/objects';

// Reads a schema from a tool's signature. A search returns signatures of tools that are called through `call_tool`.

/**
 * Returns the arguments of a signature as a schema; undefined if the text isn't a signature. Nested types are reduced
 * to `object` or `array`.
 */
export function schemaOfSignature(signature: string): JsonSchema | undefined {
  const open = signature.indexOf('(');
  if (open < 0) return undefined;
  if (signature.startsWith('()', open)) return { type: 'object', properties: {} };
  const start = signature.indexOf('{', open);
  if (start < 0) return { type: 'object', additionalProperties: true };
  const properties: { [name: string]: JsonSchema } = {};
  const required: string[] = [];
  for (const part of partsOf(signature, start + 1)) {
    const property = readProperty(part.trim());
    if (!property) continue;
    properties[property.name] = property.schema;
    if (property.required) required.push(property.name);
  }
  return { type: 'object', properties, required };
}

/** Returns the properties inside a pair of braces, without comments. Semicolons separate them. */
function partsOf(text: string, from: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at);
      at = end < 0 ? text.length : end + 1;
      continue;
    }
    if (char === '"') {
      const end = stringEnd(text, at);
      part += text.slice(at, end);
      at = end - 1;
      continue;
    }
    if (char === '}' && depth === 0) break;
    if ('{[('.includes(char)) depth++;
    if ('}])'.includes(char)) depth--;
    if (char === ';' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  return [...parts, part];
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function readProperty(
  text: string,
): { readonly name: string; readonly required: boolean; readonly schema: JsonSchema } | undefined {
  const nameEnd = text.startsWith('"') ? stringEnd(text, 0) : text.indexOf(':');
  const colon = text.indexOf(':', nameEnd);
  if (nameEnd <= 0 || colon < 0) return undefined;
  const before = text.slice(0, colon).trim();
  const required = !before.endsWith('?');
  const key = required ? before : before.slice(0, -1);
  const name = key.startsWith('"') ? parseJson(key) : key;
  return typeof name === 'string' ? { name, required, schema: typeSchema(text.slice(colon + 1).trim()) } : undefined;
}

function typeSchema(type: string): JsonSchema {
  if (type === 'string' || type === 'number' || type === 'boolean') return { type };
  if (type.endsWith(']')) return { type: 'array' };
  if (type.startsWith('{') || type.startsWith('Record<')) return { type: 'object' };
  const values = type.split(' | ').map(parseJson);
  return values.includes(undefined) ? {} : { enum: values };
}
