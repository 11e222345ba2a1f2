import type { JsonSchema } from '../catalog/tool';
import { STOP_WORDS } from '../search/text/lexicon';
import { singular } from '../search/text/stem';
import { wordsOf } from '../search/text/words';
import { isObject } from '../util/objects';
import { partAt } from './schemaParts';
import {
  additionalOf,
  DEPTH,
  LEFT_OUT,
  MAX_WHOLE,
  objectText,
  type Property,
  type SignatureStyle,
  type Signed,
  shownProperties,
  TypeRenderer,
  WORDS,
} from './schemaType';
import { isIdentifier, scriptName } from './scriptName';

// Renders a tool as one line of TypeScript for models, such as `read_file({ path: string }) => { content: string }`.

/**
 * The maximum number of characters of a signature's arguments, of the required ones among them, and of these in the
 * style `short`.
 */
const MAX_CHARS = { types: 500, short: 70, brief: 360, full: MAX_WHOLE } as const;
const MAX_REQUIRED = { types: 500, short: 120, brief: 600, full: MAX_WHOLE } as const;
const MAX_SHORT = { types: 500, short: 120, brief: 1_300, full: MAX_WHOLE } as const;
/** The maximum number of characters of required arguments that are shown without what nested objects contain. */
const MAX_FLAT = 4_000;
/** The maximum number of characters of a result type. It gets less room than the arguments, which a call needs. */
export const MAX_RETURNS = 500;
/** The maximum number of optional texts that the style `short` shows beside the arguments that a query names. */
const MAX_TEXTS = 2;
/** The words of arguments that say what a list has, and of those that say which part of it is returned. */
const SELECTING: ReadonlySet<string> = new Set('filter q query scope search state status where'.split(' '));
const NARROWING: ReadonlySet<string> = new Set([
  ...SELECTING,
  ...'cursor limit offset order orderby page skip sort top'.split(' '),
]);
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
    const { text } = new TypeRenderer({ name: '', inputSchema: schema }, 'types').type(schema, depth);
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
    const renderer = new TypeRenderer(tool, style, words, path.slice(0, -1));
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
      const { text } = new TypeRenderer(tool, style, words).type(schema, depth);
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

/**
 * Renders required arguments whole. If they don't fit, those without nested objects come first, and the others have the
 * style `short` with as many levels as fit.
 */
function fitting(tool: Signed, required: readonly Property[], style: SignatureStyle): readonly string[] {
  const all = new TypeRenderer(tool, style);
  const whole = required.map((property) => all.property(property, DEPTH[style]));
  if (whole.join('; ').length <= MAX_REQUIRED[style]) return whole;
  const isNested = (text: string) => text.includes('{');
  const plain = whole.filter((text) => !isNested(text));
  const nested = required.filter((_, at) => isNested(whole[at] ?? ''));
  for (let depth: number = DEPTH[style]; depth >= 1; depth--) {
    const renderer = new TypeRenderer(tool, 'short');
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
  const whole = new TypeRenderer(tool, style);
  const texts = all.map((property) => whole.property(property, DEPTH[style]));
  return texts.join('; ').length <= room ? texts : flat(tool, byNeed, style, room);
}

/** Renders as many arguments as fit, without what nested objects contain. */
function flat(tool: Signed, properties: readonly Property[], style: SignatureStyle, room: number): readonly string[] {
  const renderer = new TypeRenderer(tool, style);
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

function isText({ schema }: Property): boolean {
  return isObject(schema) && schema.type === 'string' && schema.enum === undefined;
}

function isComposed(schema: JsonSchema): boolean {
  return [schema.anyOf, schema.oneOf, schema.allOf, schema.$ref].some((it) => it !== undefined);
}
