import type { JsonSchema, ToolDefinition } from '../catalog/tool';
import { cut } from '../util/cut';
import { isObject } from '../util/objects';
import { oneLine } from '../util/plainText';

// Renders a tool as one line of TypeScript for models, such as `read_file({ path: string }) => { content: string }`.

/**
 * The details of a signature. `bare`: only types. `brief`: also descriptions of required arguments. `full`: all texts
 * of the schema.
 */
export type SignatureStyle = 'bare' | 'brief' | 'full';

/**
 * The maximum number of characters of a signature. A longer signature is rendered with fewer levels, then without its
 * last arguments.
 */
const MAX_CHARS = { bare: 160, brief: 800, full: 20_000 } as const;
/** The maximum number of characters of a result type. It gets less room than the arguments, which a call needs. */
export const MAX_RETURNS = 500;
/** The maximum number of levels of nested objects. */
const DEPTH = { bare: 3, brief: 5, full: 8 } as const;
/** The maximum number of values of an enum, or types of a union. */
const MAX_VALUES = 24;
const MAX_UNION = 12;
/** The maximum number of characters of one literal, and of an argument's description. */
const MAX_LITERAL = 100;
const WORDS = { bare: 0, brief: 60, full: 1_000 } as const;
/** The maximum number of parts of a schema that are read. References can make a small schema endless. */
const MAX_PARTS = 3_000;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Names that a function can't have in JavaScript. */
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|implements|interface|package|private|protected|public|arguments|eval)$/;

/** The parts of a tool's definition that a signature shows. */
type Signed = Pick<ToolDefinition, 'name' | 'inputSchema'>;

/**
 * Returns the name of a tool in scripts: its model name, with `_` in place of each character that isn't allowed in
 * identifiers.
 */
export function scriptName(modelName: string): string {
  const name = modelName.replace(/[^A-Za-z0-9_]/g, '_');
  return /^\d/.test(name) || RESERVED.test(name) ? `_${name}` : name;
}

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** A type in TypeScript. `loose` marks a union, which needs parentheses before `[]`. */
interface Rendered {
  readonly text: string;
  readonly loose?: boolean;
}

const ANY: Rendered = { text: 'any' };

/**
 * Renders a tool as one line: its name, its arguments (required ones first), and its result type if known. Whatever the
 * schema contains, the line is valid TypeScript, and rendering takes limited time.
 * @param returns the result type
 */
export function signatureOf(given: Signed, style: SignatureStyle, returns?: string): string {
  const tool = isObject(given.inputSchema) ? given : { ...given, inputSchema: {} };
  const name = scriptName(tool.name);
  const whole = (args: string) => `${name}(${args})${returns === undefined ? '' : ` => ${returns}`}`;
  for (let depth: number = DEPTH[style]; depth >= 1; depth--) {
    const line = whole(argumentsOf(tool.inputSchema, new Renderer(tool.inputSchema, style), depth));
    if (line.length <= MAX_CHARS[style]) return line;
  }
  return whole(shortened(tool, style, MAX_CHARS[style] - whole('').length));
}

/**
 * Renders the schema of a result as a type on one line, with as many levels as fit.
 * @returns undefined if the schema has no information
 */
export function returnType(schema: JsonSchema): string | undefined {
  for (let depth: number = DEPTH.brief; depth >= 1; depth--) {
    const { text } = new Renderer(schema, 'brief').type(schema, depth);
    if (text === 'any' || text === 'object') return undefined;
    if (text.length <= MAX_RETURNS) return text;
  }
  return undefined;
}

function argumentsOf(schema: JsonSchema, renderer: Renderer, depth: number): string {
  const isEmpty = propertiesOf(schema).length === 0 && !isComposed(schema) && additionalOf(schema) === undefined;
  return isEmpty ? '' : renderer.type(schema, depth).text;
}

/** Renders as many arguments as fit. Optional arguments are left out before required ones. */
function shortened(tool: Signed, style: SignatureStyle, room: number): string {
  const renderer = new Renderer(tool.inputSchema, style);
  const entries = propertiesOf(tool.inputSchema);
  const kept: string[] = [];
  let left = room - '{  /* 99 more */ }'.length;
  for (const entry of entries) {
    const text = renderer.property(entry, 1);
    if (text.length + 2 > left) break;
    kept.push(text);
    left -= text.length + 2;
  }
  const missing = entries.length - kept.length;
  return `{ ${[kept.join('; '), missing > 0 ? `/* ${missing} more */` : ''].filter((it) => it !== '').join(' ')} }`;
}

interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
}

/**
 * Returns an object's properties, required ones first. A property is left out if its name alone is longer than the
 * longest signature.
 */
function propertiesOf(schema: JsonSchema): readonly Property[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const all = Object.entries(isObject(schema.properties) ? schema.properties : {})
    .filter(([name]) => name.length <= MAX_CHARS.full)
    .map(([name, value]): Property => ({ name, schema: value, required: required.has(name) }));
  return [...all.filter((it) => it.required), ...all.filter((it) => !it.required)];
}

function additionalOf(schema: JsonSchema): JsonSchema | undefined {
  return isObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
}

function isComposed(schema: JsonSchema): boolean {
  return [schema.anyOf, schema.oneOf, schema.allOf, schema.$ref].some((it) => it !== undefined);
}

/** Renders the types of one schema. The number of parts it reads is limited for the schema as a whole. */
class Renderer {
  readonly #root: JsonSchema;
  readonly #style: SignatureStyle;
  readonly #following = new Set<string>();
  #parts = 0;

  constructor(root: JsonSchema, style: SignatureStyle) {
    this.#root = root;
    this.#style = style;
  }

  type(schema: unknown, depth: number): Rendered {
    if (++this.#parts > MAX_PARTS) return ANY;
    if (schema === false) return { text: 'never' };
    if (!isObject(schema)) return ANY;
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, depth);
    if ('const' in schema) return literals([schema.const]);
    if (Array.isArray(schema.enum)) return literals(schema.enum);
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
    const words = this.#words(schema, required);
    return `${key}${required ? '' : '?'}: ${this.type(schema, depth).text}${words ? ` /* ${words} */` : ''}`;
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
    const fixed = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : undefined;
    if (fixed && fixed.length > 0 && fixed.length <= MAX_UNION)
      return { text: `[${fixed.map((it) => this.type(it, depth).text).join(', ')}]` };
    const item = this.type(schema.items, depth);
    return { text: item.loose ? `(${item.text})[]` : `${item.text}[]` };
  }

  #object(schema: JsonSchema, depth: number): Rendered {
    const properties = propertiesOf(schema);
    const rest = additionalOf(schema);
    const open = rest && `Record<string, ${depth > 0 ? this.type(rest, depth - 1).text : 'any'}>`;
    if (properties.length === 0) return { text: open ?? 'object' };
    if (depth <= 0) return { text: 'object' };
    const shown: string[] = [];
    for (const property of properties) {
      if (this.#parts > MAX_PARTS) break;
      shown.push(this.property(property, depth - 1));
    }
    const missing = properties.length - shown.length;
    const body = `{ ${shown.join('; ')}${missing > 0 ? ` /* ${missing} more */` : ''} }`;
    return open ? { text: `${body} & ${open}`, loose: true } : { text: body };
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
   * Returns the texts on an argument. `brief`: the description of a required argument. `full`: every description, with
   * limits and defaults.
   */
  #words(schema: unknown, required: boolean): string {
    if (!isObject(schema)) return '';
    const max = WORDS[this.#style];
    const words = max > 0 && typeof schema.description === 'string' ? comment(schema.description, max) : '';
    if (this.#style !== 'full') return required ? words : '';
    const facts = FACTS.flatMap((key) =>
      schema[key] === undefined ? [] : [`${key} ${comment(JSON.stringify(schema[key]) ?? '', 60)}`],
    );
    return [words, ...facts].filter((it) => it !== '').join('; ');
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

/** Resolves `#` and `#/…` within the schema. Other references are never fetched. */
function resolve(root: JsonSchema, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    const key = step.replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as { readonly [key: string]: unknown })[key];
  }
  return at;
}

function literals(values: readonly unknown[]): Rendered {
  const shown = values.slice(0, MAX_VALUES).map((value): Rendered => {
    if (typeof value === 'string')
      return value.length <= MAX_LITERAL ? { text: stringLiteral(value) } : { text: 'string' };
    if (typeof value === 'number') return { text: Number.isFinite(value) ? String(value) : 'number' };
    return typeof value === 'boolean' || value === null ? { text: String(value) } : ANY;
  });
  return union(shown, values.length - MAX_VALUES);
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

/** Returns untrusted text as an exact literal. Invisible characters are written as escapes. */
export function stringLiteral(text: string): string {
  const json = JSON.stringify(text);
  if (oneLine(text) === text) return json;
  return Array.from(json, (char) => (char > '~' ? `\\u{${char.codePointAt(0)?.toString(16)}}` : char)).join('');
}

/** Returns untrusted text for use inside a comment, which the text can't end. */
function comment(text: string, max: number): string {
  return cut(
    oneLine(text.slice(0, 4 * max))
      .replaceAll('*/', '* /')
      .replaceAll('/*', '/ *'),
    max,
  );
}
