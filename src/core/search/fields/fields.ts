import type { Tool } from '../../catalog/tool';
import { isObject } from '../../util/objects';

/** The parts of a tool that a search looks at. */
interface SearchedFields {
  readonly name: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  /** Names of arguments, including nested ones. */
  readonly argumentNames: readonly string[];
  /** Descriptions and titles of arguments, and of the input as a whole. */
  readonly argumentTexts: readonly string[];
  /** The fixed values of arguments (`enum`, `const`). */
  readonly values: readonly string[];
  /** The descriptions, tags and text arguments of the tool's examples. */
  readonly examples: readonly string[];
}

/** The depth to which a schema is searched. Anybody can write a schema, so its depth and size are limited. */
const MAX_DEPTH = 8;
const MAX_NODES = 2_000;
/** The length at which a text is cut, in UTF-16 units. The end of longer texts (documentation) adds noise and time. */
const MAX_TEXT = 8_000;
/** The maximum length of all texts of a schema, in UTF-16 units, so that a hostile tool can't keep a pattern busy. */
const MAX_SCHEMA_TEXT = 50_000;

/** The texts found in a schema so far, and the remaining room. */
interface Collected {
  readonly argumentNames: string[];
  readonly argumentTexts: string[];
  readonly values: string[];
  nodes: number;
  room: number;
}

/** Collects the searched texts of a tool. Never throws, whatever the schema contains. */
export function searchedFields(tool: Tool): SearchedFields {
  const found: Collected = { argumentNames: [], argumentTexts: [], values: [], nodes: 0, room: MAX_SCHEMA_TEXT };
  visit(tool.inputSchema, 0, found);
  const { argumentNames, argumentTexts, values } = found;
  return {
    name: tool.name,
    server: tool.server,
    title: tool.title ?? '',
    description: cut(tool.description),
    argumentNames,
    argumentTexts,
    values,
    examples: (tool.examples ?? []).flatMap((example) => [
      ...(example.description ? [cut(example.description)] : []),
      ...(example.tags ?? []),
      ...Object.values(example.args)
        .filter((value) => typeof value === 'string')
        .map(cut),
    ]),
  };
}

/** Reads the value of a schema's keyword at a depth. The input schema itself has depth 0. */
type KeywordReader = (value: unknown, depth: number, found: Collected) => void;

const readSchema: KeywordReader = (value, depth, found) => visit(value, depth + 1, found);

const readSchemas: KeywordReader = (value, depth, found) => {
  if (Array.isArray(value)) for (const part of value) visit(part, depth + 1, found);
  else if (isObject(value)) for (const key of Object.keys(value)) visit(value[key], depth + 1, found);
};

/** The schema keywords that are read, with the function that reads each. */
const READERS: { readonly [keyword: string]: KeywordReader } = {
  title(value, depth, found) {
    if (depth > 0) take(found.argumentTexts, value, found);
  },
  description: (value, _depth, found) => take(found.argumentTexts, value, found),
  enum(value, _depth, found) {
    if (Array.isArray(value)) for (const one of value.slice(0, 200)) take(found.values, one, found);
  },
  const: (value, _depth, found) => take(found.values, value, found),
  properties(value, depth, found) {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      take(found.argumentNames, name, found);
      visit(value[name], depth + 1, found);
    }
  },
  items: readSchema,
  additionalProperties: readSchema,
  not: readSchema,
  anyOf: readSchemas,
  oneOf: readSchemas,
  allOf: readSchemas,
  prefixItems: readSchemas,
  $defs: readSchemas,
  definitions: readSchemas,
};
const KEYWORDS: ReadonlyMap<string, KeywordReader> = new Map(Object.entries(READERS));

const visit: KeywordReader = (schema, depth, found) => {
  if (!isObject(schema) || depth > MAX_DEPTH || ++found.nodes > MAX_NODES) return;
  for (const key in schema) KEYWORDS.get(key)?.(schema[key], depth, found);
};

function take(texts: string[], text: unknown, found: Collected): void {
  if (typeof text !== 'string') return;
  const part = text.slice(0, Math.min(found.room, MAX_TEXT));
  found.room -= part.length;
  if (part !== '') texts.push(part);
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}
