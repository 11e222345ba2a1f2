// Prepares a server's JSON Schema for checking. Removes keywords that can't be used safely, and translates older forms.

import type { JsonSchema } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';

/** The versions of JSON Schema that are read in different ways. Drafts before 7 are read as draft 7. */
export type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** A schema that can be compiled, without annotations and without patterns that can't run safely. */
export interface CheckableSchema {
  readonly schema: JsonSchema;
  readonly dialect: Dialect;
  /** Whether the version is a guess, since the schema doesn't name one. */
  readonly guessed: boolean;
}

/**
 * The maximum size of a schema that is compiled as a whole, in parts. Compiling takes 0.1 ms a part and blocks VS Code.
 * Of a larger schema, only the arguments that a call uses are compiled. One real tool in a hundred has a larger schema.
 */
export const MAX_NODES = 300;
/** The depth at which checking stops. Real schemas have fewer than 12 levels. */
const MAX_DEPTH = 40;

/** Keywords whose value maps arbitrary names to schemas. */
const TABLES: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
/** Keywords that don't restrict values, and keywords that only this file reads (`$schema`, `id`). */
const LEFT_OUT: ReadonlySet<string> = new Set(
  '$schema $comment id title description default examples example deprecated readOnly writeOnly contentSchema'.split(
    ' ',
  ),
);

/** Returns the number of objects in a schema. Stops counting above `max`. */
export function countParts(schema: unknown, max: number): number {
  let count = 0;
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && count <= max) {
    const node = waiting.pop();
    if (Array.isArray(node)) for (const part of node.slice(0, max)) waiting.push(part);
    else if (isObject(node)) {
      count++;
      for (const key of Object.keys(node)) {
        const value = node[key];
        if (typeof value === 'object' && value !== null) waiting.push(value);
        if (waiting.length > 10 * max) return max + 1;
      }
    }
  }
  return count;
}

/** Returns a schema without the properties that these arguments don't use. */
export function usedPart(schema: JsonSchema, input: object): JsonSchema {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const used = Object.keys(input).filter((name) => Object.hasOwn(properties, name));
  return { ...schema, properties: Object.fromEntries(used.map((name) => [name, properties[name]])) };
}

/** Returns a schema that can be compiled. Never throws. */
export function checkableSchema(schema: JsonSchema, usable: (pattern: string) => boolean): CheckableSchema {
  const named = typeof schema.$schema === 'string' ? schema.$schema : '';
  const dialect = named.includes('2019-09') ? '2019-09' : /draft-0[3-7]/.test(named) ? 'draft-07' : '2020-12';
  return { schema: prepare(schema, usable, 0) as JsonSchema, dialect, guessed: named === '' };
}

function prepare(node: unknown, usable: (pattern: string) => boolean, depth: number): unknown {
  if (!isObject(node)) return node;
  if (depth > MAX_DEPTH) return true;
  const inner = (value: unknown) => prepare(value, usable, depth + 1);
  const result: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(node)) {
    if (LEFT_OUT.has(key)) continue;
    if (TABLES.has(key) && isObject(value)) set(result, key, table(value, inner));
    else if (LISTS.has(key) && Array.isArray(value)) set(result, key, value.map(inner));
    else if (SCHEMAS.has(key)) set(result, key, Array.isArray(value) ? value.map(inner) : inner(value));
    else set(result, key, value);
  }
  return lenient(result, usable);
}

/** Sets a property of the object itself. An argument may have any name, even `__proto__`. */
function set(target: { [key: string]: unknown }, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function table(
  entries: { readonly [key: string]: unknown },
  inner: (value: unknown) => unknown,
): { [key: string]: unknown } {
  const result: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(entries)) set(result, key, inner(value));
  return result;
}

/** Removes keywords that can't be checked, and translates forms of older drafts and OpenAPI. */
function lenient(schema: { [key: string]: unknown }, usable: (pattern: string) => boolean): JsonSchema {
  if (typeof schema.pattern === 'string' && !usable(schema.pattern)) delete schema.pattern;
  if (isObject(schema.patternProperties) && !Object.keys(schema.patternProperties).every(usable)) {
    // Without the unusable pattern, it is unknown which names are additional ones.
    for (const key of ['patternProperties', 'additionalProperties', 'unevaluatedProperties']) delete schema[key];
  }
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue;
    if (schema[flag] && schema[bound] !== undefined) {
      schema[flag] = schema[bound];
      delete schema[bound];
    } else delete schema[flag];
  }
  if (typeof schema.required === 'boolean') delete schema.required;
  if (schema.nullable !== undefined && (typeof schema.nullable !== 'boolean' || schema.type === undefined))
    delete schema.nullable;
  return schema;
}
