import { setLatest } from '../util/setLatest';
import { isIdentifier, stringLiteral } from './scriptName';
import { MAX_RETURNS } from './signature';

/** Limits on a result's type: nesting levels, fields in each level, and characters of a name. */
const MAX_LEVELS = 3;
const MAX_FIELDS = 12;
const MAX_NAME = 60;
/** The number of a list's elements that determine its type. */
const MAX_ELEMENTS = 5;
/** The maximum number of tools whose result types are remembered. */
const MAX_TOOLS = 500;

/** A value's type: names of plain types, of lists their elements', of objects their fields'. A union has several. */
interface ValueType {
  readonly plain: ReadonlySet<string>;
  readonly elements?: ValueType;
  readonly objects: readonly ObjectType[];
}

interface ObjectType {
  readonly fields: ReadonlyMap<string, ValueType>;
  /** The fields that only some of the objects have. */
  readonly optional: ReadonlySet<string>;
  /** The number of fields that are left out. */
  readonly more: number;
}

const NOTHING: ValueType = { plain: new Set(), objects: [] };

/**
 * The result types of tools called in this session, by tool: names and types of fields, never values. Few servers
 * declare them, and a model that knows a result type can filter in its first script. They are in memory only.
 */
export type Shapes = Map<string, ValueType>;

/** Adds a tool's result. One that is empty, or has only some of the fields, takes nothing from what is known. */
export function noteResult(shapes: Shapes, id: string, value: unknown): void {
  const known = shapes.get(id) ?? NOTHING;
  const likely = fitting(value, (shape) => (isLike(known, shape) ? joined(known, shape) : shape));
  setLatest(shapes, id, likely, MAX_TOOLS);
}

/** Returns the type of a tool's results; undefined if the tool hasn't been called. */
export function resultType(shapes: Shapes | undefined, id: string): string | undefined {
  const shape = shapes?.get(id);
  return shape && textOf(shape);
}

/** Returns a value's type with as many levels as fit. */
export function boundShape(value: unknown): string {
  return textOf(fitting(value, (shape) => shape));
}

/** Returns the type with the most levels whose text fits, if possible as it is changed, otherwise as it is. */
function fitting(value: unknown, change: (shape: ValueType) => ValueType): ValueType {
  for (let levels = MAX_LEVELS; levels > 0; levels--) {
    const shape = shapeOf(value, levels);
    const found = [change(shape), shape].find((it) => textOf(it).length <= MAX_RETURNS);
    if (found) return found;
  }
  return shapeOf(value, 0);
}

function shapeOf(value: unknown, levels: number): ValueType {
  if (Array.isArray(value)) {
    const shapes = levels <= 0 ? [] : value.slice(0, MAX_ELEMENTS).map((item) => shapeOf(item, levels - 1));
    return { ...NOTHING, elements: shapes.reduce(joined, NOTHING) };
  }
  if (value === null || typeof value !== 'object') {
    const plain = value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value;
    return { ...NOTHING, plain: new Set([plain]) };
  }
  const entries = levels <= 0 ? [] : Object.entries(value);
  // If the keys are ids or paths, they are too long for field names and are left out.
  const named = entries.slice(0, MAX_FIELDS).filter(([name]) => name.length <= MAX_NAME);
  if (named.length === 0) return { ...NOTHING, plain: new Set(['object']) };
  const fields = new Map(named.map(([name, field]) => [name, shapeOf(field, levels - 1)]));
  return { ...NOTHING, objects: [{ fields, optional: new Set(), more: entries.length - named.length }] };
}

/** Whether two results are of one kind, so that the fields of both can be expected. */
function isLike(a: ValueType, b: ValueType): boolean {
  const own = a.elements && b.elements && isLike(a.elements, b.elements);
  const isEmpty = (shape: ValueType) => shape.plain.size === 0 && !shape.elements && shape.objects.length === 0;
  return (
    isEmpty(a) || isEmpty(b) || own === true || a.objects.some((one) => b.objects.some((two) => haveMuch(one, two)))
  );
}

/** Whether two objects share at least half of the fields of the smaller: a call may ask for a few fields only. */
function haveMuch(a: ObjectType, b: ObjectType): boolean {
  const shared = [...a.fields.keys()].filter((name) => b.fields.has(name)).length;
  return 2 * shared >= Math.min(a.fields.size, b.fields.size);
}

function joined(a: ValueType, b: ValueType): ValueType {
  const elements = a.elements && b.elements ? joined(a.elements, b.elements) : (a.elements ?? b.elements);
  const objects = [...a.objects];
  for (const it of b.objects) {
    const at = objects.findIndex((known) => haveMuch(known, it));
    if (at < 0) objects.push(it);
    else objects[at] = withFields(objects[at] as ObjectType, it);
  }
  const plain = new Set([...a.plain, ...b.plain].filter((it) => it !== 'object' || objects.length === 0));
  return { plain, objects, ...(elements && { elements }) };
}

function withFields(a: ObjectType, b: ObjectType): ObjectType {
  const names = [...new Set([...a.fields.keys(), ...b.fields.keys()])];
  const fields = new Map(
    names.map((name) => [name, joined(a.fields.get(name) ?? NOTHING, b.fields.get(name) ?? NOTHING)]),
  );
  const inOne = names.filter((name) => !a.fields.has(name) || !b.fields.has(name));
  return { fields, optional: new Set([...a.optional, ...b.optional, ...inOne]), more: Math.max(a.more, b.more) };
}

function textOf(shape: ValueType): string {
  return partsOf(shape).join(' | ');
}

function partsOf({ plain, elements, objects }: ValueType): readonly string[] {
  const each = elements && partsOf(elements);
  const list = each && `${each.length > 1 ? `(${each.join(' | ')})` : (each[0] ?? 'any')}[]`;
  return [...objects.map(fieldsText), ...(list ? [list] : []), ...plain];
}

function fieldsText({ fields, optional, more }: ObjectType): string {
  const own = [...fields].map(
    ([name, shape]) => `${fieldName(name)}${optional.has(name) ? '?' : ''}: ${textOf(shape) || 'any'}`,
  );
  return `{ ${own.join('; ')}${more > 0 ? ` /* ${more} more */` : ''} }`;
}

function fieldName(name: string): string {
  return isIdentifier(name) ? name : stringLiteral(name);
}
