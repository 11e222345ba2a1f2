import { type JsonSchema, propertiesOf, requiredOf, type ToolDefinition } from '../catalog/tool';
import { cut } from '../util/cut';
import { isObject } from '../util/objects';
import { oneLine } from '../util/plainText';
import { resolve } from './schemaParts';
import { isIdentifier, stringLiteral } from './scriptName';
import { argumentWords, clauses, defaultOf, sourceOf, unitOf } from './shortDescriptions';

// Renders a part of a schema as a type in TypeScript, on one line.

/**
 * The details of a signature. `types`: only types. `short`: the required arguments, the optional ones that a query names,
 * and a few more of type string, as in `{ owner, repo, pull_number: number, … }`. There, an argument without a type is a
 * string, and "…" means that the tool has more arguments.
 * `brief`: all arguments, with descriptions of the required ones, odd defaults of the others, and the result.
 * `full`: as many texts and levels of the schema as fit, and {@link LEFT_OUT} for the others. All but `short` are
 * TypeScript.
 */
export type SignatureStyle = 'types' | 'short' | 'brief' | 'full';

/** The maximum number of characters of a signature's arguments in the style `full`, and of one argument's name. */
export const MAX_WHOLE = 12_000;
/** The maximum number of names of left-out arguments. */
const MAX_NAMES = 8;
/** The maximum number of levels of nested objects. */
export const DEPTH = { types: 5, short: 3, brief: 5, full: 8 } as const;
/** The maximum number of characters of an object on a level that isn't shown. */
const MAX_SMALL = { types: 0, short: 45, brief: 60, full: 60 } as const;
/** The maximum numbers of values of an enum, in the style `full`, and of an optional argument; of types of a union. */
const MAX_VALUES = 24;
const MAX_ALL_VALUES = 200;
const MAX_OPTIONAL_VALUES = 8;
const MAX_UNION = 12;
/** The maximum number of characters of one literal, and of an argument's description. */
const MAX_LITERAL = 100;
export const WORDS = { types: 0, short: 0, brief: 60, full: 4_000 } as const;
/** The maximum number of parts of a schema that are read. References can make a small schema endless. */
const MAX_PARTS = 3_000;

/** Marks what a whole definition leaves out: a text that is shortened, or what is in an object, whose path follows. */
export const LEFT_OUT = '/* …';

/** Matches the sentence that says that a property can't be given, and names of properties that only answers have. */
const READ_ONLY = /(?:^|\. )read-only(?:\.|$)/i;
const SET_BY_SERVER = /^(?:@odata\.|(?:created|lastModified)DateTime$)/;

/** The parts of a tool's definition that a signature shows. */
export type Signed = Pick<ToolDefinition, 'name' | 'inputSchema'> & {
  /** Returns the name of the tool that gives the values of a required argument; undefined if none is known. */
  readonly from?: ((argument: string, description: string) => string | undefined) | undefined;
};

/** A type in TypeScript. `loose` marks a union, which needs parentheses before `[]`. */
interface Rendered {
  readonly text: string;
  readonly loose?: boolean;
}

const ANY: Rendered = { text: 'any' };

export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
}

/**
 * Returns an object's properties, required ones first. A property is left out if its name alone is longer than the
 * longest signature.
 */
export function shownProperties(schema: JsonSchema, given = true): readonly Property[] {
  const required = requiredOf(schema);
  const all = Object.entries(propertiesOf(schema))
    .filter(([name]) => name.length <= MAX_WHOLE)
    .map(([name, value]): Property => ({ name, schema: value, required: required.has(name) }))
    .filter((it) => it.required || !given || !isReadOnly(it));
  return [...all.filter((it) => it.required), ...all.filter((it) => !it.required)];
}

/** Whether a property is set by the server alone, as its schema or the last sentences of its description say. */
function isReadOnly({ name, schema }: Property): boolean {
  if (!isObject(schema)) return false;
  return schema.readOnly === true || READ_ONLY.test(`${schema.description ?? ''}`) || SET_BY_SERVER.test(name);
}

export function additionalOf(schema: JsonSchema): JsonSchema | undefined {
  return isObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
}

/** Joins the properties of an object, and says how many of `all` are missing, with names of these. */
export function objectText(
  shown: readonly string[],
  all: number,
  style: SignatureStyle,
  names: readonly string[] = [],
): string {
  const missing = all - shown.length;
  if (style === 'short') return `{ ${[...shown, ...(missing > 0 ? ['…'] : [])].join(', ')} }`;
  const such = names.length > 0 ? `, e.g. ${names.slice(0, MAX_NAMES).join(', ')}` : '';
  const left = missing > 0 ? [`/* ${missing} more${such} */`] : [];
  return `{ ${[shown.join('; '), ...left].filter((it) => it !== '').join(' ')} }`;
}

/** Renders the types of one schema. The number of parts it reads is limited for the schema as a whole. */
export class TypeRenderer {
  readonly #root: JsonSchema;
  readonly #style: SignatureStyle;
  readonly #following = new Set<string>();
  /** The tool's name, and the names of the arguments around the one that is rendered. */
  readonly #names: string[];
  readonly #from: Signed['from'];
  readonly #maxWords: number;
  #parts = 0;
  #mostValues: number = MAX_VALUES;

  /** @param around the names of the arguments around what is rendered */
  constructor(
    { name, inputSchema, from }: Signed,
    style: SignatureStyle,
    maxWords: number = WORDS[style],
    around: readonly string[] = [],
  ) {
    this.#maxWords = maxWords;
    if (style === 'full') this.#mostValues = MAX_ALL_VALUES;
    this.#root = inputSchema;
    this.#style = style;
    this.#names = [name, ...around];
    this.#from = from;
  }

  type(schema: unknown, depth: number): Rendered {
    if (++this.#parts > MAX_PARTS) return ANY;
    if (schema === false) return { text: 'never' };
    if (!isObject(schema)) return ANY;
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, depth);
    if ('const' in schema) return literals([schema.const], 1);
    if (Array.isArray(schema.enum)) return literals(schema.enum, this.#mostValues);
    const several = schema.anyOf ?? schema.oneOf;
    const own = this.#plain(schema, depth);
    const parts = [
      ...(own ? [own] : []),
      ...(Array.isArray(several)
        ? [
            union(
              several.slice(0, MAX_UNION).map((it) => this.type(it, depth)),
              several.length - MAX_UNION,
            ),
          ]
        : []),
      ...(Array.isArray(schema.allOf) ? schema.allOf.slice(0, MAX_UNION).map((it) => this.type(it, depth)) : []),
    ].filter((it) => it !== ANY && it.text !== 'any');
    const joined = intersection(parts);
    return schema.nullable === true ? union([joined, { text: 'null' }], 0) : joined;
  }

  property({ name, schema, required }: Property, depth: number): string {
    const key = isIdentifier(name) ? name : stringLiteral(name);
    this.#names.push(name);
    const words = depth < 0 ? '' : this.#words(schema, required);
    const most = this.#mostValues;
    if (!required && this.#style !== 'full') this.#mostValues = MAX_OPTIONAL_VALUES;
    const { text: whole } = this.type(schema, depth);
    // An optional property can be left out, which says enough.
    const text = required || this.#style === 'types' || this.#style === 'full' ? whole : whole.replace(/ \| null$/, '');
    this.#mostValues = most;
    this.#names.pop();
    const start = `${key}${required ? '' : '?'}`;
    if (this.#style === 'short' && /^string(?: \| null)?$/.test(text)) return start;
    return `${start}: ${text}${words ? ` /* ${words} */` : ''}`;
  }

  /** Returns the type that a schema itself declares; undefined if it declares none. */
  #plain(schema: JsonSchema, depth: number): Rendered | undefined {
    if (Array.isArray(schema.type)) {
      const { type, anyOf: _, oneOf: __, allOf: ___, ...rest } = schema;
      return union(
        type.slice(0, MAX_UNION).map((it) => this.#plain({ ...rest, type: it }, depth) ?? ANY),
        0,
      );
    }
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return { text: schema.type };
      case 'number':
      case 'integer':
        return { text: 'number' };
      case 'array':
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        if (isObject(schema.properties)) return this.#object(schema, depth);
        return schema.items === undefined ? undefined : this.#list(schema, depth);
    }
  }

  #list(schema: JsonSchema, depth: number): Rendered {
    const fixed = [schema.prefixItems, schema.items].find(Array.isArray);
    if (fixed && fixed.length > 0 && fixed.length <= MAX_UNION)
      return { text: `[${fixed.map((it) => this.type(it, depth).text).join(', ')}]` };
    const item = this.type(schema.items, depth);
    return { text: item.loose ? `(${item.text})[]` : `${item.text}[]` };
  }

  #object(schema: JsonSchema, depth: number): Rendered {
    const properties = shownProperties(schema, this.#style !== 'types');
    const rest = additionalOf(schema);
    const open = rest && `Record<string, ${depth > 0 ? this.type(rest, depth - 1).text : 'any'}>`;
    if (properties.length === 0) return { text: open ?? 'object' };
    if (depth < 0) return this.#unopened();
    const shown: string[] = [];
    for (const property of properties) {
      if (this.#parts > MAX_PARTS) break;
      // On the last level, an object around a single property takes no level of its own.
      shown.push(this.property(property, depth === 0 && properties.length === 1 ? 0 : depth - 1));
    }
    const body = objectText(shown, properties.length, this.#style);
    if (depth === 0 && body.length > MAX_SMALL[this.#style]) return this.#unopened();
    return open ? { text: `${body} & ${open}`, loose: true } : { text: body };
  }

  /** Returns the text for an object whose properties are left out. */
  #unopened(): Rendered {
    const path = this.#names.slice(1).join('.');
    return { text: this.#style === 'full' ? `object ${LEFT_OUT}${comment(path)} */` : 'object' };
  }

  #reference(ref: string, depth: number): Rendered {
    if (this.#following.has(ref)) return { text: 'any /* again */' };
    const target = resolve(this.#root, ref);
    if (target === undefined) return ANY;
    this.#following.add(ref);
    const rendered = this.type(target, depth);
    this.#following.delete(ref);
    return rendered;
  }

  /**
   * Returns the texts on an argument. `brief`: which call gives its value, or what a required one means.
   * `full`: every description, with limits and defaults.
   */
  #words(schema: unknown, required: boolean): string {
    const max = this.#maxWords;
    if (!isObject(schema) || max === 0) return '';
    const description = typeof schema.description === 'string' ? schema.description : '';
    const isSaid = !required || sourceOf(description) !== '';
    const giver = isSaid ? undefined : this.#from?.(this.#names.at(-1) ?? '', description);
    const source = giver === undefined ? '' : `from ${giver}`;
    if (max === WORDS.brief)
      return comment(
        source ||
          (required
            ? argumentWords(description, max, this.#names.join(' '))
            : sourceOf(description) || defaultOf(description, schema.default) || unitOf(description)),
      );
    const facts = FACTS.flatMap((key) =>
      schema[key] === undefined ? [] : [`${key} ${comment(cut(JSON.stringify(schema[key]) ?? '', 60))}`],
    );
    return [source, comment(clauses(oneLine(description.slice(0, 4 * max)), max)), ...facts]
      .filter((it) => it !== '')
      .join('; ');
  }
}

/** Keywords that limit or explain a value. */
const FACTS = [
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'examples',
] as const;

function literals(values: readonly unknown[], max: number): Rendered {
  const shown = values.slice(0, max).map((value): Rendered => {
    if (typeof value === 'string')
      return value.length <= MAX_LITERAL ? { text: stringLiteral(value) } : { text: 'string' };
    if (typeof value === 'number') return { text: Number.isFinite(value) ? String(value) : 'number' };
    return typeof value === 'boolean' || value === null ? { text: String(value) } : ANY;
  });
  return union(shown, values.length - max);
}

/** @param more the number of further types that aren't shown */
function union(parts: readonly Rendered[], more: number): Rendered {
  const texts = [...new Set(parts.map((part) => part.text))];
  if (texts.length === 0 || texts.some((text) => text === 'any')) return ANY;
  const note = more > 0 ? ` /* and ${more} more */` : '';
  const [only] = parts;
  if (texts.length === 1 && only) return { ...only, text: `${only.text}${note}` };
  return { text: `${texts.join(' | ')}${note}`, loose: true };
}

function intersection(parts: readonly Rendered[]): Rendered {
  const [first] = parts;
  if (!first) return ANY;
  if (parts.length === 1) return first;
  return {
    text: [...new Set(parts.map((part) => (part.loose ? `(${part.text})` : part.text)))].join(' & '),
    loose: true,
  };
}

/** Returns untrusted text for use inside a comment, which the text can't end. */
function comment(text: string): string {
  return oneLine(text).replaceAll('*/', '* /').replaceAll('/*', '/ *');
}
