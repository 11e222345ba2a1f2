import type { Tool } from '../catalog/tool';

/** The parts of a tool that a search looks at. */
export interface SearchedFields {
  readonly name: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  /** Names of arguments, nested ones too. */
  readonly argumentNames: readonly string[];
  /** Descriptions and titles of arguments, and of the input as a whole. */
  readonly argumentTexts: readonly string[];
  /** Fixed values of arguments (`enum`, `const`). */
  readonly values: readonly string[];
  /** Descriptions, tags and text arguments of the tool's examples. */
  readonly examples: readonly string[];
}

/** Schemas come from strangers: what lies deeper, or comes later, than this isn't searched. */
const MAX_DEPTH = 8;
const MAX_NODES = 2_000;
/** Longer texts are documentation rather than a description; their end adds noise and time. In UTF-16 units. */
const MAX_TEXT = 8_000;
/** All texts of one schema together, so that one hostile tool can't keep a pattern busy. In UTF-16 units. */
const MAX_SCHEMA_TEXT = 50_000;

/** Collects what is searched of a tool. Never throws, whatever the schema holds. */
export function searchedFields(tool: Tool): SearchedFields {
  const argumentNames: string[] = [];
  const argumentTexts: string[] = [];
  const values: string[] = [];
  let nodes = 0;
  let room = MAX_SCHEMA_TEXT;
  const take = (texts: string[], text: string) => {
    const part = text.slice(0, Math.min(room, MAX_TEXT));
    room -= part.length;
    if (part !== '') texts.push(part);
  };

  const visitAll = (parts: unknown, depth: number) => {
    if (Array.isArray(parts)) for (const part of parts) visit(part, depth);
    else if (isRecord(parts)) for (const key of Object.keys(parts)) visit(parts[key], depth);
  };
  const visit = (schema: unknown, depth: number) => {
    if (!isRecord(schema) || depth > MAX_DEPTH || ++nodes > MAX_NODES) return;
    // Its own keys alone: a schema has three of some twenty that mean something.
    for (const key in schema) {
      const value = schema[key];
      switch (key) {
        case 'title':
          if (depth > 0 && typeof value === 'string') take(argumentTexts, value);
          break;
        case 'description':
          if (typeof value === 'string') take(argumentTexts, value);
          break;
        case 'enum':
          if (Array.isArray(value)) for (const one of value.slice(0, 200)) if (typeof one === 'string') take(values, one);
          break;
        case 'const':
          if (typeof value === 'string') take(values, value);
          break;
        case 'properties':
          if (isRecord(value))
            for (const name of Object.keys(value)) {
              take(argumentNames, name);
              visit(value[name], depth + 1);
            }
          break;
        case 'items':
        case 'additionalProperties':
        case 'not':
          visit(value, depth + 1);
          break;
        case 'anyOf':
        case 'oneOf':
        case 'allOf':
        case 'prefixItems':
        case '$defs':
        case 'definitions':
          visitAll(value, depth + 1);
          break;
      }
    }
  };
  visit(tool.inputSchema, 0);

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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}
