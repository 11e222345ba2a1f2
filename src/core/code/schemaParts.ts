// Finds parts of a schema: what a reference names, and what is inside an argument.

import { type JsonSchema, propertiesOf } from '../catalog/tool';
import { isObject } from '../util/objects';

/** The maximum number of parts of a schema that are searched for one field. References can make a schema endless. */
const MAX_SEARCHED = 1_000;

/** Resolves `#` and `#/…` within the schema. Other references are never fetched. */
export function resolve(root: JsonSchema, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    const key = step.replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as { readonly [key: string]: unknown })[key];
  }
  return at;
}

/** Returns the schema of a field inside arguments: `body.from`. Lists, references and choices need no step. */
export function partAt(root: JsonSchema, path: readonly string[]): unknown {
  let at: unknown = root;
  for (const name of path) at = fieldOf(root, at, name);
  return at;
}

function fieldOf(root: JsonSchema, within: unknown, name: string): unknown {
  const waiting = [within];
  for (const schema of waiting) {
    if (!isObject(schema)) continue;
    const own = propertiesOf(schema);
    if (Object.hasOwn(own, name)) return own[name];
    if (waiting.length > MAX_SEARCHED) continue;
    const { $ref, items, anyOf, oneOf, allOf, additionalProperties } = schema;
    if (typeof $ref === 'string') waiting.push(resolve(root, $ref));
    waiting.push(...[items, anyOf, oneOf, allOf, additionalProperties].flat());
  }
  return undefined;
}
