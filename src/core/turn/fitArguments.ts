import { type JsonSchema, propertiesOf, requiredOf } from '../catalog/tool';
import { resolve } from '../code/schemaParts';
import type { Call } from '../ports';
import { isOneTypo } from '../search/text/vocabulary';
import { squash } from '../search/text/words';
import { asObject, isObject, isTooDeep, jsonText, parseJson } from '../util/objects';

/** The values that models write for no value. */
const NOTHING: readonly unknown[] = ['', 'null', 'undefined', 'None'];

/** The maximum number of levels of objects in arguments that are fitted. Each may be a text of JSON. */
const MAX_DEPTH = 20;
/** The maximum number of levels of a schema that are searched for an argument, and of objects on one level. */
const MAX_LEVELS = 2;
const MAX_OBJECTS = 200;
/** The maximum numbers of fields of an object that are compared with other names, and of such names. */
const MAX_FIELDS = 1_000;
const MAX_NAMES = 50;
/** The number of letters from which a name with one mistake is near to another. */
const MIN_LETTERS = 4;

/** The parts of a schema that may name arguments beside its properties, and those that allow others without a name. */
const COMPOSED = ['allOf', 'anyOf', 'oneOf', 'if', '$ref'];
const OPEN = ['additionalProperties', 'patternProperties'];

/**
 * Fits arguments to a schema if it leaves no doubt about what was meant: `"4711"` for a number, a list as JSON text,
 * `{…}` for `[{…}]`, `null` or `""` for an argument to leave out, `issueNumber` for `issue_number`, `{ subject }` for
 * `{ body: { subject } }`. Returns the same object if nothing changes, as for all arguments that are valid and that the
 * schema names.
 */
export function fitArguments(given: Call['input'], schema: JsonSchema): Call['input'] {
  const [properties, required] = [propertiesOf(schema), requiredOf(schema)];
  const isOmitted = (name: string) => !required.has(name) && Object.hasOwn(properties, name);
  const kept = Object.entries(given).filter(
    ([name, value]) => !(isOmitted(name) && isNothing(value, properties[name])),
  );
  const input = kept.length === Object.keys(given).length ? given : Object.fromEntries(kept);
  return fitObject(input, schema, schema, 0);
}

/** Whether a value means that the argument is left out: it is empty or says null, and the schema doesn't allow it. */
function isNothing(value: unknown, schema: unknown): boolean {
  const types = typesOf(schema);
  if (value === null) return types.length > 0 && !types.includes('null');
  const allowed =
    isObject(schema) && Array.isArray(schema.enum) ? schema.enum : types.includes('string') ? [value] : [];
  return NOTHING.includes(value) && types.length > 0 && !allowed.includes(spelled(value, allowed));
}

/** @param root the schema of the arguments themselves */
function fitObject(given: Call['input'], schema: JsonSchema, root: JsonSchema, depth: number): Call['input'] {
  const properties = propertiesOf(schema);
  const input = schema === root || isClosed(schema, root) ? placed(given, schema, root) : given;
  const names = Object.keys(input);
  const fitted = names.map((name) =>
    Object.hasOwn(properties, name) ? fitValue(input[name], properties[name], root, depth + 1) : input[name],
  );
  return fitted.every((value, at) => value === input[names[at] ?? ''])
    ? input
    : Object.fromEntries(names.map((name, at) => [name, fitted[at]]));
}

function fitValue(given: unknown, written: unknown, root: JsonSchema, depth: number): unknown {
  const schema = resolved(written, root);
  if (!isObject(schema)) return given;
  const types = typesOf(written).length > 0 ? typesOf(written) : typesOf(schema);
  const value = inList(spelled(convert(dated(given, schema), types), schema.enum), types, resolved(schema.items, root));
  if (depth > MAX_DEPTH) return value;
  if (isObject(value)) return fitObject(value, schema, root, depth);
  if (!Array.isArray(value) || !isObject(schema.items)) return value;
  const items = value.map((item) => fitValue(item, schema.items, root, depth + 1));
  return items.every((item, at) => item === value[at]) ? value : items;
}

/** Returns the schema that a reference names, or the only one beside null. */
function resolved(schema: unknown, root: JsonSchema): unknown {
  const choices = isObject(schema) && Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const [only, ...others] = choices.filter((one) => !isObject(one) || one.type !== 'null');
  if (!isObject(only) || others.length > 0) return schema;
  return typeof only.$ref === 'string' ? resolve(root, only.$ref) : only;
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

/** Matches a date as Germans write it: 31.12.2026. Its first number is always the day. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/** Writes a date as 2026-12-31 if the schema wants that. */
function dated(value: unknown, { format, description }: JsonSchema): unknown {
  const wants =
    format === 'date' || (typeof description === 'string' && /YYYY-MM-DD\b/.test(description.slice(0, 1_000)));
  const [, day, month, year] = (wants && typeof value === 'string' && DOTTED.exec(value.trim())) || [];
  return day && month && Number(month) <= 12 ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : value;
}

function convert(value: unknown, types: readonly unknown[]): unknown {
  if (types.length === 0 || isOf(value, types)) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return types.includes('string') ? String(value) : value;
  const truth = types.includes('boolean') ? spelled(value, ['true', 'false']) : value;
  const parsed = typeof truth === 'string' ? parseJson(truth) : undefined;
  return parsed !== undefined && isOf(parsed, types) && !isTooDeep(parsed) ? parsed : value;
}

/** Puts an object into a list if only a list of such objects is allowed. */
function inList(value: unknown, types: readonly unknown[], items: unknown): unknown {
  const known = propertiesOf(items);
  const isItem = isObject(value) && Object.keys(value).some((name) => Object.hasOwn(known, name));
  return isItem && types.includes('array') && !types.includes('object') ? [value] : value;
}

function isOf(value: unknown, types: readonly unknown[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  return types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'));
}

/** Returns the only allowed value that has the same letters: `In Progress` → `in_progress`. */
function spelled(value: unknown, allowed: unknown): unknown {
  if (typeof value !== 'string' || !Array.isArray(allowed) || allowed.includes(value)) return value;
  const letters = squash(value);
  const same = allowed.filter((one) => typeof one === 'string' && squash(one) === letters);
  return letters !== '' && same.length === 1 ? same[0] : value;
}

/** Moves arguments into the only object argument that has them, and spells them as the schema does. */
function placed(input: Call['input'], schema: JsonSchema, root: JsonSchema): Call['input'] {
  const names = unnamed(input, schema);
  if (names.length === 0) return input;
  const known = propertiesOf(schema);
  const index = indexOf(schema, root);
  const result = new Map(Object.entries(input));
  for (const name of names) {
    const [same, ...more] = fieldsLike(name, index, (a, b) => a === b);
    const place = index.places.get(name) ?? '';
    const inside = Object.hasOwn(known, place) ? asObject(result.get(place) ?? {}) : undefined;
    if (same !== undefined && more.length === 0 && !result.has(same)) result.set(same, input[name]);
    else if (inside && !Object.hasOwn(inside, name)) result.set(place, { ...inside, [name]: input[name] });
    else continue;
    result.delete(name);
  }
  return names.some((name) => !result.has(name)) ? Object.fromEntries(result) : input;
}

/**
 * An object in the arguments with fields that its schema doesn't name. The path of the arguments themselves is empty.
 */
interface UnknownFields {
  readonly path: string;
  /** The fields, each with what to do about it, in words for the model. These are empty if nothing is known. */
  readonly names: ReadonlyMap<string, string>;
  readonly known: readonly string[];
}

/**
 * Returns the arguments that a tool doesn't have, and the fields that objects in them don't have. If an object's schema
 * allows other fields, returns only those that were probably meant for a known one. If the schema of the arguments
 * themselves allows others, a generator has probably written so everywhere. Then the objects inside allow none.
 * @param readsOnly whether the tool only reads, so that it hardly takes just any arguments, whatever its schema says
 */
export function unknownArguments(
  input: Call['input'],
  schema: JsonSchema,
  readsOnly = false,
): readonly UnknownFields[] {
  const isStrict = readsOnly && takesAny(schema);
  return unknownIn(input, schema, { root: schema, isStrict }, '').slice(0, MAX_NAMES);
}

function takesAny({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties === true || jsonText(additionalProperties) === '{}';
}

/** The schema of the arguments themselves, and whether they are only those that it names. */
interface RootSchema {
  readonly root: JsonSchema;
  readonly isStrict: boolean;
}

function unknownIn(value: unknown, written: unknown, of: RootSchema, path: string): readonly UnknownFields[] {
  const { root } = of;
  const schema = path === '' ? root : resolved(written, root);
  if (!isObject(schema)) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_NAMES).flatMap((item, at) => unknownIn(item, schema.items, of, `${path}.${at}`));
  if (!isObject(value)) return [];
  const known = propertiesOf(schema);
  const names = unnamed(value, schema).flatMap((name): [string, string][] => {
    const index = indexOf(schema, root);
    const near = fieldsLike(name, index, isNear).find((other) => !Object.hasOwn(value, other));
    const place = path === '' ? index.places.get(name) : undefined;
    if (place !== undefined) return [[name, `put it inside ${place}`]];
    if (near !== undefined) return [[name, `did you mean ${near}?`]];
    // OData's annotations, such as `user@odata.bind`, belong to the protocol. Schemas don't name them.
    const isListed = (path === '' && of.isStrict) || isClosed(schema, root);
    return isListed && !name.includes('@odata.') ? [[name, '']] : [];
  });
  const deeper = Object.keys(value).flatMap((name) =>
    Object.hasOwn(known, name) ? unknownIn(value[name], known[name], of, pathTo(path, name)) : [],
  );
  return names.length > 0
    ? [{ path, names: new Map(names), known: Object.keys(known).slice(0, MAX_NAMES) }, ...deeper]
    : deeper;
}

/** Whether an object has no other fields than those that its schema names. */
function isClosed(schema: JsonSchema, root: JsonSchema): boolean {
  const isOpen = (object: JsonSchema) => OPEN.some((key) => object[key]);
  return !isOpen(schema) || (schema !== root && isOpen(root));
}

/** Returns the first names of fields that an object's schema doesn't name; none if it doesn't say all names. */
function unnamed(input: Call['input'], schema: JsonSchema): readonly string[] {
  const known = propertiesOf(schema);
  if (COMPOSED.some((key) => schema[key])) return [];
  const names = Object.keys(input).filter((name) => !Object.hasOwn(known, name));
  return names.length > 0 && Object.keys(known).length > 0 ? names.slice(0, MAX_NAMES) : [];
}

/** The names in an object's schema, and in the objects inside it. Names of unknown fields are compared with them. */
interface SchemaIndex {
  readonly fields: readonly { readonly field: string; readonly letters: string }[];
  /** The path of the only object inside that has a field, such as `body` or `items[0]`, by the field's name. */
  readonly places: ReadonlyMap<string, string | undefined>;
}

const indexes = new WeakMap<JsonSchema, SchemaIndex>();

function indexOf(schema: JsonSchema, root: JsonSchema): SchemaIndex {
  const known = indexes.get(schema);
  if (known) return known;
  const names = Object.keys(propertiesOf(schema)).slice(0, MAX_FIELDS);
  const fields = names.map((field) => ({ field, letters: squash(field) }));
  const index = { fields, places: placesIn(schema, root) };
  indexes.set(schema, index);
  return index;
}

function fieldsLike(
  name: string,
  { fields }: SchemaIndex,
  isLike: (letters: string, others: string) => boolean,
): readonly string[] {
  const wanted = squash(name);
  return fields.flatMap(({ field, letters }) => (wanted !== '' && isLike(wanted, letters) ? [field] : []));
}

function isNear(a: string, b: string): boolean {
  const isAlike = Math.min(a.length, b.length) >= MIN_LETTERS && Math.abs(a.length - b.length) <= 1;
  return a === b || (isAlike && isOneTypo(a, b));
}

function placesIn(schema: JsonSchema, root: JsonSchema): ReadonlyMap<string, string | undefined> {
  const places = new Map<string, string | undefined>();
  let level: readonly Place[] = [['', schema]];
  for (let depth = 0; depth < MAX_LEVELS; depth++) {
    level = level.flatMap((place) => objectsIn(place, root)).slice(0, MAX_OBJECTS);
    const here = new Map<string, string | undefined>();
    for (const [path, object] of level)
      for (const name of Object.keys(propertiesOf(object)).slice(0, MAX_FIELDS))
        here.set(name, here.has(name) ? undefined : path);
    for (const [name, path] of here) if (!places.has(name)) places.set(name, path);
  }
  return places;
}

type Place = readonly [path: string, schema: unknown];

function objectsIn([path, schema]: Place, root: JsonSchema): readonly Place[] {
  return Object.entries(propertiesOf(schema))
    .slice(0, MAX_OBJECTS)
    .map(([name, written]): Place => {
      const inner = resolved(written, root);
      const isList = isObject(inner) && isObject(inner.items);
      return isList ? [`${pathTo(path, name)}[0]`, resolved(inner.items, root)] : [pathTo(path, name), inner];
    });
}

function pathTo(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
