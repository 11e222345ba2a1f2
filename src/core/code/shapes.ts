import { setLatest } from '../util/setLatest';
import { isIdentifier, MAX_RETURNS, stringLiteral } from './signature';

/** Limits on a result's type: nesting levels, fields in each level, and characters of a name. */
const MAX_LEVELS = 3;
const MAX_FIELDS = 12;
const MAX_NAME = 60;
/** The number of a list's elements that determine its type. */
const MAX_ELEMENTS = 5;
/** The maximum number of tools whose result types are remembered. */
const MAX_TOOLS = 500;

/**
 * The result types of tools called in this session: names and types of fields, never values. Few servers declare them,
 * and a model that knows a result type can filter in its first script. They are in memory only.
 */
export class Shapes {
  readonly #seen = new Map<string, string>();

  note(id: string, value: unknown): void {
    const shape = boundShape(value);
    // An empty list says less than a type that is known.
    if (shape !== 'any[]' || !this.#seen.has(id)) setLatest(this.#seen, id, shape, MAX_TOOLS);
  }

  /** Returns the type of the tool's last result; undefined if the tool hasn't been called. */
  of(id: string): string | undefined {
    return this.#seen.get(id);
  }
}

/** Returns a value's type with as many levels as fit. */
export function boundShape(value: unknown): string {
  for (let levels = MAX_LEVELS; levels > 0; levels--) {
    const shape = shapeOf(value, levels);
    if (shape.length <= MAX_RETURNS) return shape;
  }
  return shapeOf(value, 0);
}

function shapeOf(value: unknown, levels: number): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    if (value.length === 0 || levels <= 0) return 'any[]';
    const types = [...new Set(value.slice(0, MAX_ELEMENTS).map((item) => shapeOf(item, levels - 1)))];
    return types.length === 1 ? `${types[0]}[]` : `(${types.join(' | ')})[]`;
  }
  if (typeof value !== 'object') return typeof value === 'bigint' ? 'number' : typeof value;
  if (levels <= 0) return 'object';
  const entries = Object.entries(value);
  // If the keys are ids or paths, they are too long for field names and are left out.
  const fields = entries
    .slice(0, MAX_FIELDS)
    .filter(([name]) => name.length <= MAX_NAME)
    .map(([name, field]) => `${fieldName(name)}: ${shapeOf(field, levels - 1)}`);
  const more = entries.length > fields.length ? ` /* ${entries.length - fields.length} more */` : '';
  return fields.length === 0 ? 'object' : `{ ${fields.join('; ')}${more} }`;
}

function fieldName(name: string): string {
  return isIdentifier(name) ? name : stringLiteral(name);
}
