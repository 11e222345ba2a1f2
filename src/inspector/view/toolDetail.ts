// The details of a tool in the inspector.

import type { Catalog } from '../../core/catalog/catalog';
import { marksOf } from '../../core/catalog/marks';
import type { JsonSchema, Tool, ToolExample } from '../../core/catalog/tool';
import { TokenCounter } from '../../core/usage/tokenCounter';
import { descriptionWithExamples } from '../../core/usage/tokens';
import { isObject } from '../../core/util/objects';
import { visibleText } from '../../core/util/plainText';
import type { Tokens, ToolDetail } from '../protocol/view';
import { cutBytes, firstOf } from '../text/bytes';
import type { StringKey, Text } from '../text/text';

/** The maximum sizes of a tool's parts in a message to the webview, in bytes. A schema can be megabytes. */
const MAX_SCHEMA = 20_000;
const MAX_ARGUMENTS = 14_000;
const MAX_DESCRIPTION = 8_000;
const MAX_EXAMPLES = 8_000;
const MAX_ARGUMENT = 1_000;
const MAX_EXAMPLE = 2_000;

const usualCount = (chars: number): Tokens => new TokenCounter().estimate(chars);

/**
 * Returns the details of a tool. Malformed schemas are accepted.
 * @param count returns the tokens for a number of characters of a definition
 */
export function toolDetail(tool: Tool, text: Text, count: (chars: number) => Tokens = usualCount): ToolDetail {
  const schema = pretty(tool.inputSchema);
  return {
    id: tool.id,
    description: cutBytes(tool.description, MAX_DESCRIPTION),
    args: firstOf(argumentsOf(tool.inputSchema), MAX_ARGUMENTS),
    marks: [],
    annotations: annotationsOf(tool, text),
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
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties).map(([name, value]) => ({
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

/**
 * Returns the details of the tool with this id. Throws a message for the user if it doesn't exist.
 * @param hinted whether the server's hints reach us; VS Code doesn't pass them on
 */
export function detailOf(
  catalog: Catalog,
  id: string,
  text: Text,
  { count, hinted }: { readonly count?: (chars: number) => Tokens; readonly hinted: boolean },
): ToolDetail {
  const tool = catalog.byId.get(id);
  if (!tool) throw new Error(text.t('detail.gone', { tool: id }));
  const marks = marksOf(tool, catalog.tools).map(({ kind, part }) => text.t(`mark.${kind}`, { part }));
  const detail = toolDetail(tool, text, count);
  const hints = detail.annotations.length > 0 || hinted ? detail.annotations : [text.t('detail.hintsUnknown')];
  return { ...detail, annotations: hints, marks };
}
