// Sums token counts, and writes the texts of definitions that are counted.

import { slimSchema } from '../catalog/slimSchema';
import type { JsonSchema, Tool, ToolDefinition } from '../catalog/tool';
import { memoizeBy } from '../util/memoize';
import type { Certainty, Tokens } from './types';

/**
 * The characters of JSON per token for a model that hasn't counted yet. For tool definitions of 12 real MCP servers,
 * the tokenisers of current models gave 3.4–3.9. A model's own counts replace this value.
 */
export const DEFAULT_CHARS_PER_TOKEN = 3.6;

/** No tokens, as a counted value rather than an estimate. */
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

/** Returns the text of a definition that is counted: the fields that every wire sends, as JSON. */
export function definitionText(tool: ToolDefinition): string {
  return JSON.stringify({ name: tool.name, description: descriptionWithExamples(tool), parameters: tool.inputSchema });
}

/** Returns a description that includes the examples, for wires without a field for examples. */
export function descriptionWithExamples(tool: Pick<ToolDefinition, 'description' | 'examples'>): string {
  const { description, examples = [] } = tool;
  const lines = examples.map(
    (example) => `Example${example.description ? ` (${example.description})` : ''}: ${JSON.stringify(example.args)}`,
  );
  return [description, ...lines].join('\n');
}

/** Returns a tool's definition and text, built once: otherwise a turn's work for 10,000 tools is four times as much. */
export const definitionOf = memoizeBy((tool: Tool) => {
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
  return { definition, text: definitionText(definition) };
}, new WeakMap());

/** Returns the total length of several definitions' texts in a list, in characters. */
export function definitionsLength(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + definitionOf(tool).text.length + 1, 0);
}

/** Returns an object schema, which every wire requires. A tool without one gets a schema without known arguments. */
function objectSchema(schema: JsonSchema): JsonSchema {
  return schema.type === 'object' ? schema : { ...schema, type: 'object', properties: schema.properties ?? {} };
}
