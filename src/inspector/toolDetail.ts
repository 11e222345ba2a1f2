import { visibleText } from '../core/plainText';
import { isObject, type JsonSchema, type Tool } from '../core/tool';
import type { StringKey, Text, ToolDetail } from './protocol';

/** A schema can be megabytes; nobody reads more than this. */
const MAX_SCHEMA = 20_000;
/** Nor more arguments than this. */
const MAX_ARGUMENTS = 200;

/** What a row of the grid opens to. Works for any schema, however malformed. */
export function toolDetail(tool: Tool, text: Text): ToolDetail {
  const schema = pretty(tool.inputSchema);
  return {
    id: tool.id,
    description: tool.description,
    args: argumentsOf(tool.inputSchema),
    annotations: annotationsOf(tool, text),
    examples: (tool.examples ?? []).map((example) => ({ args: pretty(example.args, 0), description: example.description })),
    schema: schema.length > MAX_SCHEMA ? `${schema.slice(0, MAX_SCHEMA)}…` : schema,
  };
}

function argumentsOf(schema: JsonSchema): ToolDetail['args'] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties)
    .slice(0, MAX_ARGUMENTS)
    .map(([name, value]) => ({
      name,
      type: typeOf(value),
      required: required.has(name),
      description: isObject(value) && typeof value.description === 'string' ? visibleText(value.description) : '',
    }));
}

/** A word for a property's type: JSON Schema's own where it has one. */
function typeOf(value: unknown): string {
  if (!isObject(value)) return 'any';
  if (Array.isArray(value.enum) || 'const' in value) return 'enum';
  if (Array.isArray(value.type)) return value.type.join(' | ');
  if (value.type === 'array') {
    const item = typeOf(value.items);
    return item === 'any' ? 'array' : `${item}[]`;
  }
  if (typeof value.type === 'string') return value.type;
  return '$ref' in value ? 'object' : 'any';
}

function annotationsOf(tool: Tool, text: Text): string[] {
  const hints = tool.annotations ?? {};
  const words: [boolean | undefined, StringKey, StringKey | undefined][] = [
    [hints.readOnlyHint, 'annotation.readOnly', 'annotation.writes'],
    [hints.destructiveHint, 'annotation.destructive', 'annotation.notDestructive'],
    [hints.idempotentHint, 'annotation.idempotent', undefined],
    [hints.openWorldHint, 'annotation.openWorld', 'annotation.closedWorld'],
  ];
  return words.flatMap(([hint, yes, no]) => (hint === true ? [text.t(yes)] : hint === false && no ? [text.t(no)] : []));
}

function pretty(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? '';
  } catch {
    return '';
  }
}
