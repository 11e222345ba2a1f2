import { slimSchema } from '../catalog/slimSchema';
import type { JsonSchema, Tool, ToolDefinition } from '../catalog/tool';
import type { Certainty, Tokens } from './types';

/**
 * Characters of JSON per token where a model has never been measured. Tool definitions of 12 real MCP servers came to
 * 3.4–3.9 characters a token with the tokenisers of current models; a model's own counts replace this as they come in.
 */
export const DEFAULT_CHARS_PER_TOKEN = 3.6;

/** No tokens at all: counted, not guessed. */
export const ZERO: Tokens = { value: 0, certainty: 'measured' };

/** A sum with one estimated part is estimated. */
export function sumTokens(parts: readonly Tokens[]): Tokens {
  return { value: parts.reduce((sum, part) => sum + part.value, 0), certainty: weakest(parts) };
}

/** `a − b`; may be negative. */
export function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return { value: a.value - b.value, certainty: weakest([a, b]) };
}

function weakest(parts: readonly Tokens[]): Certainty {
  return parts.every((part) => part.certainty === 'measured') ? 'measured' : 'estimated';
}

/** The text that stands for a definition when it is counted: what every wire sends, in JSON. */
export function definitionText(tool: ToolDefinition): string {
  return JSON.stringify({ name: tool.name, description: descriptionWithExamples(tool), parameters: tool.inputSchema });
}

/** A description for wires that have no field for examples. */
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

/** A tool's definition and its text, made once: schemas can be megabytes. */
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

/** Every wire wants an object schema; a tool without one takes no arguments that we know of. */
function objectSchema(schema: JsonSchema): JsonSchema {
  return schema.type === 'object' ? schema : { ...schema, type: 'object', properties: schema.properties ?? {} };
}
