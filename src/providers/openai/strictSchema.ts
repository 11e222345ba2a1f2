import { type JsonSchema, requiredOf } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';

/** The schema keywords that the service accepts in strict mode. */
const KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'title',
  'description',
]);
/** The service's limits on schemas in strict mode. */
const MAX_DEPTH = 10;
const MAX_PROPERTIES = 5_000;

/**
 * Whether a schema can be sent with `strict: true`, which guarantees that arguments fit it. Each object must be closed
 * and each property required. Other schemas are never adapted, since that would make optional arguments required.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function isStrict(schema: JsonSchema): boolean {
  let properties = 0;
  const fits = (part: unknown, depth: number): boolean => {
    if (!isObject(part) || depth > MAX_DEPTH || !Object.keys(part).every((keyword) => KEYWORDS.has(keyword)))
      return false;
    if (part.type === undefined && part.anyOf === undefined && part.enum === undefined && part.const === undefined)
      return false;
    const types = [part.type].flat();
    if (part.items !== undefined ? !fits(part.items, depth + 1) : types.includes('array')) return false;
    if (
      part.anyOf !== undefined &&
      !(Array.isArray(part.anyOf) && part.anyOf.every((option) => fits(option, depth + 1)))
    )
      return false;
    if (!types.includes('object') && part.properties === undefined) return true;
    if (part.additionalProperties !== false || !isObject(part.properties)) return false;
    const names = Object.keys(part.properties);
    properties += names.length;
    const required = requiredOf(part);
    return (
      properties <= MAX_PROPERTIES &&
      names.every((name) => required.has(name)) &&
      Object.values(part.properties).every((property) => fits(property, depth + 1))
    );
  };
  return schema.type === 'object' && schema.anyOf === undefined && fits(schema, 1);
}
