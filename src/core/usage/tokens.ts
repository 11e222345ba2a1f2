import { slimSchema } from '../catalog/slimSchema';
import type { JsonSchema, Tool, ToolDefinition } from '../catalog/tool';
import type { Certainty, Tokens } from './types';

/**
 * The characters of JSON per token for a model that has never been measured. Tool definitions of 12 real MCP servers
 * came to 3.4–3.9 characters a token with the tokenisers of current models. A model's own counts replace this as they
 * come in.
 */
export const DEFAULT_CHARS_PER_TOKEN = 3.6;

/** No tokens at all: counted, not estimated. */
export const ZERO: Tokens = { value: 0, certainty: 'measured' };

/** Sums tokens. A sum with one estimated part is estimated. */
export function sumTokens(parts: readonly Tokens[]): Tokens {
  return { value: parts.reduce((sum, part) => sum + part.value, 0), certainty: weakest(parts) };
}

/** Returns `a − b`, which may be negative. */
export function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return { value: a.value - b.value, certainty: weakest([a, b]) };
}

function weakest(parts: readonly Tokens[]): Certainty {
  return parts.every((part) => part.certainty === 'measured') ? 'measured' : 'estimated';
}

/** Returns the text that represents a definition when it is counted: the fields that every wire sends, in JSON. */
export function definitionText(tool: ToolDefinition): string {
  return JSON.stringify({ name: tool.name, description: descriptionWithExamples(tool), parameters: tool.inputSchema });
}

/** Returns a description for wires that have no field for examples. */
export function descriptionWithExamples({
  description,
  examples = [],
}: Pick<ToolDefinition, 'description' | 'examples'>): string {
  const lines = examples.map(
    (example) => `Example${example.description ? ` (${example.description})` : ''}: ${JSON.stringify(example.args)}`,
  );
  return [description, ...lines].join('\n');
}

const definitions = new WeakMap<Tool, { readonly definition: ToolDefinition; readonly text: string }>();

/** Returns a tool's definition and its text. Both are built once, since schemas can be megabytes. */
export function definitionOf(tool: Tool): { readonly definition: ToolDefinition; readonly text: string } {
  let made = definitions.get(tool);
  if (!made) {
    const slim = slimSchema(tool.inputSchema);
    const definition: ToolDefinition = {
      id: tool.id,
      server: tool.server,
      name: tool.modelName,
      description: [tool.description || tool.title || tool.name, ...(slim ? [slim.note] : [])].join('\n'),
      inputSchema: objectSchema(slim?.schema ?? tool.inputSchema),
      ...(tool.outputSchema ? { outputSchema: tool.outputSchema } : {}),
      ...(tool.examples ? { examples: tool.examples } : {}),
    };
    made = { definition, text: definitionText(definition) };
    definitions.set(tool, made);
  }
  return made;
}

/** Returns the length of the texts of several definitions in characters, as a list has them. */
export function definitionsLength(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + definitionOf(tool).text.length + 1, 0);
}

/** Returns an object schema, since every wire wants one. A tool without one takes no known arguments. */
function objectSchema(schema: JsonSchema): JsonSchema {
  return schema.type === 'object' ? schema : { ...schema, type: 'object', properties: schema.properties ?? {} };
}
