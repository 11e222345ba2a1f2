import { type JsonSchema, propertiesOf, requiredOf } from '../../core/catalog/tool';
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
  const properties: { [name: string]: unknown } = { ...propertiesOf(schema) };
  const required = new Set(requiredOf(schema));
  for (const keyword of COMBINATORS) {
    const parts = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]).filter(isObject) : [];
    for (const part of parts)
      for (const [name, property] of Object.entries(propertiesOf(part))) properties[name] ??= property;
    const of = parts.map(requiredOf);
    const named = of.flatMap((names) => [...names]);
    for (const name of named) if (keyword === 'allOf' || of.every((names) => names.has(name))) required.add(name);
  }
  return { ...rest, type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}
