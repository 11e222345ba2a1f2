import { isObject } from '../util/objects';
import { type JsonSchema, propertiesOf, requiredOf } from './tool';

/**
 * The maximum length of a definition that is sent unchanged, in characters of JSON: about 28,000 tokens. The longest of
 * 705 tools of 12 real servers has 84,167 characters. A longer definition could fill a model's window by itself.
 */
const MAX_SCHEMA_CHARS = 100_000;

const DESCRIPTION_CHARS = 100;
const ENUM_VALUES = 20;

/** Returns a shortened schema, with a description of the removed parts; undefined if the schema is short enough. */
export function slimSchema(
  schema: JsonSchema,
  maxChars = MAX_SCHEMA_CHARS,
): { readonly schema: JsonSchema; readonly note: string } | undefined {
  const size = JSON.stringify(schema).length;
  if (size <= maxChars) return undefined;
  const properties = Object.entries(propertiesOf(schema));
  const required = requiredOf(schema);
  // Required arguments come first, since no call succeeds without them.
  const ordered = properties.toSorted(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
  const kept: [string, JsonSchema][] = [];
  let room = maxChars;
  for (const [name, property] of ordered) {
    const flat = flatten(property);
    room -= JSON.stringify(name).length + JSON.stringify(flat).length + 2;
    if (room < 0) break;
    kept.push([name, flat]);
  }
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(kept),
      required: kept.map(([name]) => name).filter((name) => required.has(name)),
      additionalProperties: true,
    },
    note: `Its input schema of ${Math.round(size / 1000).toLocaleString('en')} kB is too long to show: ${kept.length} of ${properties.length} arguments are listed, without their parts.`,
  };
}

/** Returns an argument's type, description and values, without its nested parts. */
function flatten(property: unknown): JsonSchema {
  if (!isObject(property)) return {};
  const { type, description, enum: values } = property;
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof description === 'string' ? { description: description.slice(0, DESCRIPTION_CHARS) } : {}),
    ...(Array.isArray(values) && values.length <= ENUM_VALUES ? { enum: values } : {}),
  };
}
