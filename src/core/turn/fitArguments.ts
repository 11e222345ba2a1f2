import { type JsonSchema, propertiesOf, requiredOf } from '../catalog/tool';
import type { Call } from '../ports';
import { asObject, isObject, parseJson } from '../util/objects';

/**
 * Fits arguments to a schema if it leaves no doubt about what was meant: `"4711"` for a number, a list as JSON text,
 * `null` for an argument to leave out, `{ subject }` for `{ body: { subject } }`. Returns the same object if nothing
 * changes, as for all arguments that are valid and that the schema names.
 */
export function fitArguments(given: Call['input'], schema: JsonSchema): Call['input'] {
  const [properties, required] = [propertiesOf(schema), requiredOf(schema)];
  const input = placed(given, schema);
  const fitted = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const types = Object.hasOwn(properties, name) ? typesOf(properties[name]) : [];
    if (value === null && types.length > 0 && !types.includes('null') && !required.has(name)) return [];
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
  const nullable = schema.nullable === true ? ['null'] : [];
  if (schema.type !== undefined || !Array.isArray(branches)) return [schema.type ?? [], nullable].flat();
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

/** The maximum number of levels of a schema that are searched for an argument, and of objects on one level. */
const MAX_LEVELS = 2;
const MAX_OBJECTS = 200;

/** The parts of a schema that may name arguments beside its properties, and those that allow others without a name. */
const COMPOSED = ['allOf', 'anyOf', 'oneOf', 'if', '$ref'];
const OPEN = ['additionalProperties', 'patternProperties'];

/** Returns the names of arguments that a schema doesn't name; none if it doesn't say all names. */
export function unnamed(input: Call['input'], schema: JsonSchema): readonly string[] {
  const known = propertiesOf(schema);
  if (COMPOSED.some((key) => schema[key]) || Object.keys(known).length === 0) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(known, name));
}

/** Returns the names of arguments that a tool doesn't have; none if its schema allows any. */
export function unknownArguments(input: Call['input'], schema: JsonSchema): readonly string[] {
  return OPEN.some((key) => schema[key]) ? [] : unnamed(input, schema);
}

/** Moves arguments into the only object argument that has them. */
function placed(input: Call['input'], schema: JsonSchema): Call['input'] {
  const known = propertiesOf(schema);
  let result = input;
  for (const name of unnamed(input, schema).slice(0, MAX_OBJECTS)) {
    const place = placeOf(name, schema) ?? '';
    const inside = Object.hasOwn(known, place) ? asObject(result[place] ?? {}) : undefined;
    if (!inside || Object.hasOwn(inside, name)) continue;
    const { [name]: value, ...others } = result;
    result = { ...others, [place]: { ...inside, [name]: value } };
  }
  return result;
}

/** Returns the path of the only object inside the arguments that has a property, such as `body` or `items[0]`. */
export function placeOf(name: string, schema: JsonSchema): string | undefined {
  let level = objectsIn(['', schema]);
  for (let depth = 0; depth < MAX_LEVELS; depth++) {
    const [place, ...others] = level.filter(([, object]) => Object.hasOwn(propertiesOf(object), name));
    if (place) return others.length === 0 ? place[0] : undefined;
    level = level.slice(0, MAX_OBJECTS).flatMap(objectsIn);
  }
  return undefined;
}

type Place = readonly [path: string, schema: JsonSchema];

function objectsIn([path, schema]: Place): readonly Place[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, inner]): Place[] => {
    if (!isObject(inner)) return [];
    const at = path === '' ? name : `${path}.${name}`;
    return isObject(inner.items) ? [[`${at}[0]`, inner.items]] : [[at, inner]];
  });
}
