import type { JsonSchema } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';

const COMBINATORS = ['allOf', 'anyOf', 'oneOf'] as const;
const REFUSED = new Set<string>([...COMBINATORS, 'not', 'enum', 'const', 'if', 'then', 'else']);

/**
 * Returns a schema as the service requires it: at the top an object with properties, without alternatives. Alternatives
 * are merged: their properties are combined, and a property is required only if all alternatives require it. Before a
 * call, the arguments are checked against the original schema.
 */
export function wireSchema(schema: JsonSchema): { [name: string]: unknown } {
  if (
    schema.type === 'object' &&
    isObject(schema.properties) &&
    !Object.keys(schema).some((keyword) => REFUSED.has(keyword))
  )
    return schema;
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !REFUSED.has(keyword)));
  const properties: { [name: string]: unknown } = isObject(schema.properties) ? { ...schema.properties } : {};
  const required = new Set(requiredOf(schema));
  for (const keyword of COMBINATORS) {
    const parts = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]).filter(isObject) : [];
    for (const part of parts) {
      if (!isObject(part.properties)) continue;
      for (const [name, property] of Object.entries(part.properties)) properties[name] ??= property;
    }
    const everywhere =
      keyword === 'allOf'
        ? parts.flatMap(requiredOf)
        : (parts[0] ? requiredOf(parts[0]) : []).filter((name) =>
            parts.every((part) => requiredOf(part).includes(name)),
          );
    for (const name of everywhere) required.add(name);
  }
  return { ...rest, type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

function requiredOf(schema: { readonly [name: string]: unknown }): string[] {
  return Array.isArray(schema.required)
    ? schema.required.filter((name): name is string => typeof name === 'string')
    : [];
}
