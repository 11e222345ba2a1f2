import type { JsonSchema } from '../catalog/tool';
import type { Call } from '../ports';
import { isObject, parseJson } from '../util/objects';

/**
 * Converts arguments to the types of the schema if it leaves no doubt about what was meant: `"4711"` for a number, a
 * list as JSON text, `null` for an argument to leave out. Returns the same object if nothing changes.
 */
export function fitArguments(input: Call['input'], { properties, required }: JsonSchema): Call['input'] {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const fitted = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const types = isObject(properties) && Object.hasOwn(properties, name) ? typesOf(properties[name]) : [];
    if (value === null && types.length > 0 && !types.includes('null') && !isRequired(name)) return [];
    return [[name, convert(value, types)]];
  });
  const names = Object.keys(input);
  const isSame = fitted.length === names.length && fitted.every(([name, value]) => value === input[name]);
  return isSame ? input : Object.fromEntries(fitted);
}

/** Returns the types that a schema allows; none if it doesn't say them all. */
function typesOf(schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  const branches = schema.anyOf ?? schema.oneOf;
  if (schema.type !== undefined || !Array.isArray(branches)) return [schema.type ?? []].flat();
  const types = branches.map(typesOf);
  return types.some(({ length }) => length === 0) ? [] : types.flat();
}

function convert(value: unknown, types: readonly unknown[]): unknown {
  if (types.length === 0 || isOf(value, types)) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return types.includes('string') ? String(value) : value;
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return parsed !== undefined && isOf(parsed, types) ? parsed : value;
}

function isOf(value: unknown, types: readonly unknown[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  return types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'));
}
