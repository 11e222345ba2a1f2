import { type JsonSchema, propertiesOf, requiredOf, type ToolDefinition } from '../catalog/tool';
import { STOP_WORDS } from '../search/text/lexicon';
import { singular } from '../search/text/stem';
import { wordsOf } from '../search/text/words';
import { cut } from '../util/cut';
import { isObject } from '../util/objects';
import { oneLine } from '../util/plainText';
import { partAt, resolve } from './schemaParts';
import { argumentWords, clauses, defaultOf, sourceOf, unitOf } from './shortDescriptions';

// Renders a tool as one line of TypeScript for models, such as `read_file({ path: string }) => { content: string }`.

/**
 * The details of a signature. `types`: only types. `short`: the required arguments, the optional ones that a query names,
 * and a few more of type string, as in `{ owner, repo, pull_number: number, … }`. There, an argument without a type is a
 * string, and "…" means that the tool has more arguments.
 * `brief`: all arguments, with descriptions of the required ones, odd defaults of the others, and the result.
 * `full`: as many texts and levels of the schema as fit, and {@link LEFT_OUT} for the others. All but `short` are
 * TypeScript.
 */
export type SignatureStyle = 'types' | 'short' | 'brief' | 'full';

/**
 * The maximum number of characters of a signature's arguments, of the required ones among them, and of these in the
 * style `short`.
 */
const MAX_CHARS = { types: 500, short: 70, brief: 360, full: 12_000 } as const;
const MAX_REQUIRED = { types: 500, short: 120, brief: 600, full: 12_000 } as const;
const MAX_SHORT = { types: 500, short: 120, brief: 1_300, full: 12_000 } as const;
/** The maximum number of characters of required arguments that are shown without what nested objects contain. */
const MAX_FLAT = 4_000;
/** The maximum number of characters of a result type. It gets less room than the arguments, which a call needs. */
export const MAX_RETURNS = 500;
/** The maximum number of optional texts that the style `short` shows beside the arguments that a query names. */
const MAX_TEXTS = 2;
/**
 * The words of arguments that say what a list has, of those that say which part of it is returned, and how many of those
 * left out are named.
 */
const SELECTING: ReadonlySet<string> = new Set('filter q query scope search state status where'.split(' '));
const NARROWING: ReadonlySet<string> = new Set([
  ...SELECTING,
  ...'cursor limit offset order orderby page skip sort top'.split(' '),
]);
const MAX_NAMES = 8;
/** The maximum number of levels of nested objects. */
const DEPTH = { types: 5, short: 3, brief: 5, full: 8 } as const;
/** The maximum number of characters of an object on a level that isn't shown. */
const MAX_SMALL = { types: 0, short: 45, brief: 60, full: 60 } as const;
/** The maximum numbers of values of an enum, in the style `full`, and of an optional argument; of types of a union. */
const MAX_VALUES = 24;
const MAX_ALL_VALUES = 200;
const MAX_OPTIONAL_VALUES = 8;
const MAX_UNION = 12;
/** The maximum number of characters of one literal, and of an argument's description. */
const MAX_LITERAL = 100;
const WORDS = { types: 0, short: 0, brief: 60, full: 4_000 } as const;
/** The levels, and the characters of an argument's description, that the style `full` tries until all fits. */
const LESS_AND_LESS = [
  [8, WORDS.full],
  [8, 400],
  [8, 160],
  [8, 60],
  [6, 60],
  [5, 60],
  [4, 60],
  [3, 60],
  [2, 60],
  [1, 60],
] as const;
/** The maximum number of parts of a schema that are read. References can make a small schema endless. */
const MAX_PARTS = 3_000;

/** Marks what a whole definition leaves out: a text that is shortened, or what is in an object, whose path follows. */
export const LEFT_OUT = '/* …';

/** Matches the sentence that says that a property can't be given, and names of properties that only answers have. */
const READ_ONLY = /(?:^|\. )read-only(?:\.|$)/i;
const SET_BY_SERVER = /^(?:@odata\.|(?:created|lastModified)DateTime$)/;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Names that a function can't have in JavaScript. */
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|implements|interface|package|private|protected|public|arguments|eval)$/;

/** The parts of a tool's definition that a signature shows. */
type Signed = Pick<ToolDefinition, 'name' | 'inputSchema'> & {
  /** Returns the name of the tool that gives the values of a required argument; undefined if none is known. */
  readonly from?: ((argument: string, description: string) => string | undefined) | undefined;
};

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
 * Renders a tool as one line: its name, its arguments, and its result type if known. Required arguments come first and
 * are left out only if thousands of characters don't suffice for them. Optional ones come in the order in which the
 * query names them. Whatever the schema contains, the line is valid TypeScript, and rendering takes limited time.
 */
export function signatureOf(
  given: Signed,
  style: SignatureStyle,
  {
    returns,
    query = '',
    from,
  }: { readonly returns?: string | undefined; readonly query?: string; readonly from?: Signed['from'] } = {},
): string {
  const tool = { ...given, inputSchema: isObject(given.inputSchema) ? given.inputSchema : {}, from };
  const result = returns === undefined || style === 'short' ? '' : ` => ${returns}`;
  return `${scriptName(tool.name)}(${argumentsOf(tool, style, query)})${result}`;
}

/**
 * Renders the schema of a result as a type on one line, with as many levels as fit.
 * @returns undefined if the schema has no information
 */
export function returnType(schema: JsonSchema, max: number = MAX_RETURNS): string | undefined {
  for (let depth: number = DEPTH.types; depth >= 1; depth--) {
    const { text } = new Renderer({ name: '', inputSchema: schema }, 'types').type(schema, depth);
    if (text === 'any' || text === 'object') return undefined;
    if (text.length <= max) return text;
  }
  return undefined;
}

/** Returns the levels, and the characters of an argument's description, that are tried until all fits. */
function sizesOf(style: SignatureStyle): readonly (readonly [levels: number, words: number])[] {
  if (style === 'full') return LESS_AND_LESS;
  return Array.from({ length: DEPTH[style] }, (_, less) => [DEPTH[style] - less, WORDS[style]]);
}

/**
 * Renders a part of a tool's arguments with as many texts and levels as fit: `from: { address?: string }`.
 * @param path the names that lead to the part
 * @returns undefined if there is no such part
 */
export function partSignature(
  tool: Signed,
  path: readonly string[],
  style: SignatureStyle,
  max: number = MAX_CHARS[style],
): string | undefined {
  const schema = partAt(tool.inputSchema, path);
  const name = path.at(-1);
  if (schema === undefined || name === undefined) return undefined;
  for (const [depth, words] of sizesOf(style)) {
    const renderer = new Renderer(tool, style, words, path.slice(0, -1));
    const text = renderer.property({ name, schema, required: true }, depth);
    if (text.length <= max) return text;
  }
  return undefined;
}

function argumentsOf(tool: Signed, style: SignatureStyle, query: string): string {
  const schema = tool.inputSchema;
  const properties = shownProperties(schema);
  if ((style === 'full' && properties.length > 0) || isComposed(schema) || additionalOf(schema) !== undefined) {
    for (const [depth, words] of sizesOf(style)) {
      const { text } = new Renderer(tool, style, words).type(schema, depth);
      if (text.length <= MAX_REQUIRED[style]) return words < WORDS[style] ? `${text} ${LEFT_OUT} */` : text;
    }
  }
  if (properties.length === 0) return '';
  const required = fitting(
    tool,
    properties.filter((it) => it.required),
    style,
  );
  const optional = ordered(tool, properties, style, query);
  const left = MAX_CHARS[style] - required.join('; ').length;
  if (style !== 'short' || required.length + optional.named.length === 0) {
    const shown = asManyAsFit(tool, optional, style, left);
    const hidden = optional.byNeed.slice(shown.length).flatMap(({ name }) => (narrows(name) ? [name] : []));
    return objectText([...required, ...shown], properties.length, style, hidden);
  }
  // Of the optional arguments that the query doesn't name, most that aren't texts are flags and pages.
  const others = optional.byNeed.filter((it) => isText(it) && !optional.named.includes(it)).slice(0, MAX_TEXTS);
  const room = optional.named.length > 0 ? MAX_CHARS.short : left;
  const all = [...optional.named, ...others];
  const shown = asManyAsFit(tool, { all, byNeed: all }, style, room);
  return objectText([...required, ...shown], properties.length, style);
}

/** Whether an argument says which part of a list is returned, such as `per_page`. */
function narrows(name: string): boolean {
  return isIdentifier(name) && wordsOf(name).some((word) => NARROWING.has(word));
}

/** Whether an argument says what a list has, such as `name_filter`. */
function selects({ name }: Property): boolean {
  const words = wordsOf(name);
  return words.length <= 2 && words.some((word) => SELECTING.has(word));
}

/** Joins the properties of an object, and says how many of `all` are missing, with names of these. */
function objectText(
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

/**
 * Renders required arguments whole. If they don't fit, those without nested objects come first, and the others have the
 * style `short` with as many levels as fit.
 */
function fitting(tool: Signed, required: readonly Property[], style: SignatureStyle): readonly string[] {
  const all = new Renderer(tool, style);
  const whole = required.map((property) => all.property(property, DEPTH[style]));
  if (whole.join('; ').length <= MAX_REQUIRED[style]) return whole;
  const isNested = (text: string) => text.includes('{');
  const plain = whole.filter((text) => !isNested(text));
  const nested = required.filter((_, at) => isNested(whole[at] ?? ''));
  for (let depth: number = DEPTH[style]; depth >= 1; depth--) {
    const renderer = new Renderer(tool, 'short');
    const short = [...plain, ...nested.map((property) => renderer.property(property, depth))];
    if (short.join('; ').length <= MAX_SHORT[style]) return short;
  }
  return flat(tool, required, 'short', Math.max(MAX_FLAT, MAX_SHORT[style]));
}

/** Renders all arguments if they fit, otherwise as many as fit of those that are most needed, without nested objects. */
function asManyAsFit(
  tool: Signed,
  { all, byNeed }: Pick<Optional, 'all' | 'byNeed'>,
  style: SignatureStyle,
  room: number,
): readonly string[] {
  const whole = new Renderer(tool, style);
  const texts = all.map((property) => whole.property(property, DEPTH[style]));
  return texts.join('; ').length <= room ? texts : flat(tool, byNeed, style, room);
}

/** Renders as many arguments as fit, without what nested objects contain. */
function flat(tool: Signed, properties: readonly Property[], style: SignatureStyle, room: number): readonly string[] {
  const renderer = new Renderer(tool, style);
  const kept: string[] = [];
  let left = room - ' /* 99 more */'.length;
  for (const property of properties) {
    const text = renderer.property(property, 0);
    left -= text.length + 2;
    if (left < 0) break;
    kept.push(text);
  }
  return kept;
}

/** The optional arguments: those that a query names, all with these first, and all with those that select next. */
interface Optional {
  readonly named: readonly Property[];
  readonly all: readonly Property[];
  readonly byNeed: readonly Property[];
}

/** Returns the optional arguments. Words of the tool's own name don't count as words of the query. */
function ordered(tool: Signed, properties: readonly Property[], style: SignatureStyle, query: string): Optional {
  const own = new Set(wordsOf(tool.name).map(singular));
  const words = new Set(
    wordsOf(query)
      .map(singular)
      .filter((word) => !own.has(word) && !STOP_WORDS.has(word)),
  );
  const optional = properties.filter((it) => !it.required);
  const isNamed = ({ name }: Property) => words.size > 0 && wordsOf(name).some((word) => words.has(singular(word)));
  const named = optional.filter(isNamed);
  // In a short line, the values of an argument would take the room of the other arguments.
  const selecting = optional.filter((it) => selects(it) && (style !== 'short' || isText(it)));
  return {
    named,
    all: [...new Set([...named, ...optional])],
    byNeed: [...new Set([...named, ...selecting, ...optional])],
  };
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
function shownProperties(schema: JsonSchema, given = true): readonly Property[] {
  const required = requiredOf(schema);
  const all = Object.entries(propertiesOf(schema))
    .filter(([name]) => name.length <= MAX_CHARS.full)
    .map(([name, value]): Property => ({ name, schema: value, required: required.has(name) }))
    .filter((it) => it.required || !given || !isReadOnly(it));
  return [...all.filter((it) => it.required), ...all.filter((it) => !it.required)];
}

/** Whether a property is set by the server alone, as its schema or the last sentences of its description say. */
function isReadOnly({ name, schema }: Property): boolean {
  if (!isObject(schema)) return false;
  return schema.readOnly === true || READ_ONLY.test(`${schema.description ?? ''}`) || SET_BY_SERVER.test(name);
}

function isText({ schema }: Property): boolean {
  return isObject(schema) && schema.type === 'string' && schema.enum === undefined;
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

/** Returns untrusted text as an exact literal. Invisible characters are written as escapes. */
export function stringLiteral(text: string): string {
  const json = JSON.stringify(text);
  if (oneLine(text) === text) return json;
  return Array.from(json, (char) => (char > '~' ? `\\u{${char.codePointAt(0)?.toString(16)}}` : char)).join('');
}

/** Returns untrusted text for use inside a comment, which the text can't end. */
function comment(text: string): string {
  return oneLine(text).replaceAll('*/', '* /').replaceAll('/*', '/ *');
}
