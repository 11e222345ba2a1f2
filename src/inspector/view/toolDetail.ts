import { marksOf } from '../../core/catalog/marks';
import { markWords } from '../../core/catalog/markWords';
import { claimsOf } from '../../core/catalog/serverClaims';
import { type JsonSchema, propertiesOf, requiredOf, type Tool, type ToolExample } from '../../core/catalog/tool';
import { descriptionWithExamples } from '../../core/usage/tokens';
import { isObject } from '../../core/util/objects';
import { visibleText } from '../../core/util/plainText';
import type { Tokens, ToolDetail } from '../protocol/view';
import { cutBytes, firstOf } from '../text/bytes';
import type { Text } from '../text/text';

/** The maximum sizes of a tool's parts in a message to the webview, in bytes. A schema can be megabytes. */
const MAX_SCHEMA = 20_000;
const MAX_ARGUMENTS = 14_000;
const MAX_DESCRIPTION = 8_000;
const MAX_EXAMPLES = 8_000;
const MAX_ARGUMENT = 1_000;
const MAX_EXAMPLE = 2_000;

/** The inputs of a tool's details, besides the tool. */
interface DetailContext {
  /** All tools, since a tool may be suspicious beside another. */
  readonly tools: readonly Tool[];
  /** Returns the tokens for a number of characters of a definition. */
  readonly count: (chars: number) => Tokens;
  /** Whether the server's hints reach us; VS Code doesn't pass them on. */
  readonly hinted: boolean;
}

/** Returns the details of a tool. Malformed schemas are accepted. */
export function toolDetail(tool: Tool, text: Text, { tools, count, hinted }: DetailContext): ToolDetail {
  const schema = pretty(tool.inputSchema);
  const claims = claimsOf(tool.annotations ?? {});
  return {
    id: tool.id,
    description: cutBytes(tool.description, MAX_DESCRIPTION),
    args: firstOf(argumentsOf(tool.inputSchema), MAX_ARGUMENTS),
    marks: marksOf(tool, tools).map(markWords),
    annotations: claims.length > 0 || hinted ? claims : [text.t('detail.hintsUnknown')],
    examples: firstOf((tool.examples ?? []).map(exampleView), MAX_EXAMPLES),
    exampleTokens: count(descriptionWithExamples({ description: '', examples: tool.examples ?? [] }).length),
    schema: cutBytes(schema, MAX_SCHEMA),
  };
}

function exampleView({ args, description }: ToolExample): ToolDetail['examples'][number] {
  return {
    args: cutBytes(pretty(args, 0), MAX_EXAMPLE),
    description: description && cutBytes(description, MAX_EXAMPLE),
  };
}

function argumentsOf(schema: JsonSchema): ToolDetail['args'] {
  const required = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, value]) => ({
    name: cutBytes(name, MAX_ARGUMENT),
    type: cutBytes(typeOf(value), MAX_ARGUMENT),
    required: required.has(name),
    ...valuesOf(value),
    description:
      isObject(value) && typeof value.description === 'string'
        ? cutBytes(visibleText(value.description.slice(0, MAX_ARGUMENT)), MAX_ARGUMENT)
        : '',
  }));
}

/** Returns the values of an enum if all are texts. */
function valuesOf(value: unknown): { readonly values?: readonly string[] } {
  const values = isObject(value) && Array.isArray(value.enum) ? value.enum : [];
  const texts = values.filter((each) => typeof each === 'string').map((each) => cutBytes(each, MAX_ARGUMENT));
  return texts.length > 0 && texts.length === values.length ? { values: firstOf(texts, MAX_ARGUMENT) } : {};
}

/** Returns a word for a property's type: JSON Schema's own type if there is one. */
function typeOf(value: unknown): string {
  if (!isObject(value)) return 'any';
  if (Array.isArray(value.enum) || 'const' in value) return 'enum';
  if (Array.isArray(value.type)) return value.type.filter((type) => typeof type === 'string').join(' | ') || 'any';
  if (value.type === 'array') {
    const item = typeOf(value.items);
    return item === 'any' ? 'array' : `${item}[]`;
  }
  if (typeof value.type === 'string') return value.type;
  return '$ref' in value ? 'object' : 'any';
}

function pretty(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? '';
  } catch {
    return '';
  }
}
