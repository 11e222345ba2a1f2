import { type JsonSchema, propertiesOf, requiredOf } from '../../core/catalog/tool';
import { asObject } from '../../core/util/objects';
import type { ParsedPrompt } from './prompt';

interface ToolArgument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Returns a tool's arguments, required ones first. */
export function listArguments(schema: JsonSchema): readonly ToolArgument[] {
  const required = requiredOf(schema);
  const all = Object.entries(propertiesOf(schema)).map(([name, value]): ToolArgument => {
    const property = asObject(value) ?? {};
    return { name, type: typeOf(property), required: required.has(name), schema: property };
  });
  return [...all.filter((arg) => arg.required), ...all.filter((arg) => !arg.required)];
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (typeof schema.type === 'string') return schema.type;
  return Array.isArray(schema.type) ? schema.type.join(' | ') : 'any';
}

/**
 * Returns the arguments of a call from a prompt: its JSON and `name=value` pairs. If exactly one required argument is
 * missing, the prompt's only string or number is used for it. Undefined if a required argument is still missing.
 */
export function fillArguments(
  schema: JsonSchema,
  prompt: ParsedPrompt,
): { readonly [name: string]: unknown } | undefined {
  const args = listArguments(schema);
  const known = new Map(args.map((arg) => [arg.name, arg]));
  const open = args.length === 0 || schema.additionalProperties === true;
  const filled = Object.fromEntries(
    Object.entries(prompt.named)
      .filter(([name]) => open || known.has(name))
      .map(([name, value]) => [name, coerce(value, known.get(name))]),
  );
  const missing = args.filter((arg) => arg.required && !(arg.name in filled));
  const [only] = missing;
  if (missing.length === 1 && only) {
    const value = loneValue(only, prompt);
    if (value !== undefined) filled[only.name] = value;
  }
  return args.every((arg) => !arg.required || arg.name in filled) ? filled : undefined;
}

/** Converts a value to the argument's type. In `id=42`, the value may be meant as a string. */
function coerce(value: unknown, arg: ToolArgument | undefined): unknown {
  return arg?.schema.type === 'string' && (typeof value === 'number' || typeof value === 'boolean')
    ? String(value)
    : value;
}

function loneValue(arg: ToolArgument, prompt: ParsedPrompt): unknown {
  const { type } = arg.schema;
  if (type === 'number' || type === 'integer') return prompt.numbers.length === 1 ? prompt.numbers[0] : undefined;
  if (type !== 'string') return undefined;
  return prompt.strings.length === 1 ? prompt.strings[0] : undefined;
}

export function exampleInput(schema: JsonSchema): string {
  const args = listArguments(schema).filter((arg) => arg.required);
  return JSON.stringify(Object.fromEntries(args.map((arg) => [arg.name, exampleValue(arg.schema)])));
}

function exampleValue(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '…';
  }
}
