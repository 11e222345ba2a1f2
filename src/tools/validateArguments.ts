import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { Tool } from '../core/tool';

/** What a model is told at the most, in characters. */
const MAX_MESSAGE = 1000;
/** A longer value is not shown to the model. */
const MAX_SHOWN = 60;

/** Compiling the schema of a tool once is enough; `undefined` where it can't be used. */
const validators = new WeakMap<object, Validator | undefined>();

/**
 * Says in words for a model which arguments don't fit the tool's schema and what is expected, or undefined where they fit.
 * A schema that can't be checked (a reference that leads nowhere, a pattern that isn't one) lets everything through: the
 * server checks for itself.
 */
export function argumentProblem(tool: Tool, input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return `The arguments of ${tool.modelName} must be a JSON object, but were ${show(input)}. ${expected(tool)}`.slice(0, MAX_MESSAGE);
  }
  let errors: readonly OutputUnit[];
  try {
    const result = validatorOf(tool.inputSchema)?.validate(input);
    if (!result || result.valid) return undefined;
    errors = result.errors;
  } catch {
    return undefined;
  }
  const lines = new Set(leaves(errors).map((error) => describe(error, input)));
  const message = [`The arguments of ${tool.modelName} don't fit:`, ...[...lines].map((line) => `- ${line}`), expected(tool)].join('\n');
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message;
}

function validatorOf(schema: Tool['inputSchema']): Validator | undefined {
  if (!validators.has(schema)) {
    let validator: Validator | undefined;
    try {
      validator = new Validator(withoutPatterns(schema) as Schema, draftOf(schema), false);
    } catch {
      validator = undefined;
    }
    validators.set(schema, validator);
  }
  return validators.get(schema);
}

/**
 * The schema without its regular expressions: one that a server wrote can take exponential time on what a model wrote, and
 * that would hang VS Code. The server checks them itself.
 */
function withoutPatterns(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPatterns);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key, value]) => !(key === 'pattern' && typeof value === 'string'));
  const open = 'patternProperties' in node ? entries.filter(([key]) => !/^(pattern|additional|unevaluated)Properties$/.test(key)) : entries;
  return Object.fromEntries(open.map(([key, value]) => [key, withoutPatterns(value)]));
}

function draftOf(schema: Tool['inputSchema']): '4' | '7' | '2019-09' | '2020-12' {
  const named = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (named.includes('draft-04')) return '4';
  if (named.includes('2019-09')) return '2019-09';
  return named.includes('draft-0') ? '7' : '2020-12';
}

/** Keywords whose errors only say that there is one further in. */
const CONTAINERS: readonly string[] = ['properties', 'additionalProperties', 'items', 'prefixItems', '$ref', 'allOf'];

function leaves(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const telling = errors.filter((error) => !CONTAINERS.includes(error.keyword));
  return telling.length > 0 ? telling : errors;
}

function describe(error: OutputUnit, input: object): string {
  const path = error.instanceLocation.replace(/^#\/?/, '').split('/').filter(Boolean).map(unescapePointer);
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  const text =
    error.keyword === 'false'
      ? 'there is no such argument.'
      : error.error.replace(/^Instance/, path.length === 0 ? 'The object' : 'the value');
  const value = path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? at[key as keyof typeof at] : undefined), input);
  return `${where}${text}${path.length > 0 && value !== undefined ? ` (given: ${show(value)})` : ''}`;
}

/** Names the arguments that there are: often enough to mend the call without reading the schema again. */
function expected(tool: Tool): string {
  const { properties } = tool.inputSchema;
  const required = Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required : [];
  const names = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  if (names.length === 0) return 'It takes no arguments.';
  const shown = names.slice(0, 20).map(([name, schema]) => `${name}${typeName(schema)}${required.includes(name) ? ', required' : ''}`);
  return `Expected: ${shown.join('; ')}${names.length > shown.length ? `; and ${names.length - shown.length} more` : ''}.`;
}

function typeName(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown };
  if (Array.isArray(values) && values.length <= 8) return ` (one of ${values.map((value) => JSON.stringify(value)).join(', ')})`;
  return type === undefined ? '' : ` (${[type].flat().join(' or ')})`;
}

function unescapePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Not escaped after all.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
