import { type Json, type JsonSchema, plainId, type ToolExample } from '../catalog/tool';
import { isObject, isTooDeep } from '../util/objects';
import { sameJson } from '../util/sameJson';
import type { Settings } from './settings';

/** What the settings say of examples. */
export type ExampleRules = Pick<Settings, 'examples' | 'examplesPerTool' | 'exampleDescriptions' | 'exampleTags'>;

/** A longer worked call costs more than it teaches; strangers write them too. In characters of JSON. */
const MAX_CHARS = 2_000;
/** More of one tool are not even looked at. */
const MAX_READ = 50;

/**
 * The examples of a tool: the user's before its own, those with a wanted tag, at most so many, with or without words.
 * @param own what the tool's server gives (`_meta`) or its schema holds
 */
export function examplesOf(id: string, own: readonly ToolExample[], rules: ExampleRules): readonly ToolExample[] {
  const wanted = new Set(rules.exampleTags);
  const key = Object.hasOwn(rules.examples, id) ? id : plainId(id);
  const users = Object.hasOwn(rules.examples, key) ? (rules.examples[key] ?? []) : [];
  const distinct = [...users, ...own].filter(
    (example, index, all) => all.findIndex((other) => sameJson(other.args, example.args)) === index,
  );
  return distinct
    .filter((example) => wanted.size === 0 || example.tags?.some((tag) => wanted.has(tag)))
    .slice(0, rules.examplesPerTool)
    .map(({ args, description, tags }) => ({
      args,
      ...(rules.exampleDescriptions && description !== undefined ? { description } : {}),
      ...(tags === undefined ? {} : { tags }),
    }));
}

/** Reads worked calls from outside: objects of arguments, alone or under `args` with a description and tags. */
export function readExamples(value: unknown): readonly ToolExample[] {
  const items = Array.isArray(value) ? value.slice(0, MAX_READ).filter(isObject) : [];
  return items
    .map((item): ToolExample => {
      if (!isObject(item.args)) return { args: item as { readonly [name: string]: Json } };
      const { args, description, tags } = item;
      return {
        args: args as { readonly [name: string]: Json },
        ...(typeof description === 'string' ? { description } : {}),
        ...(Array.isArray(tags) ? { tags: tags.filter((tag): tag is string => typeof tag === 'string') } : {}),
      };
    })
    .filter((example) => !isTooDeep(example) && JSON.stringify(example).length <= MAX_CHARS);
}

/** Takes the worked calls out of a schema (`examples`), so that they are sent once, in the form that the model's wire has for them. */
export function takeExamples(schema: JsonSchema): {
  readonly schema: JsonSchema;
  readonly examples: readonly ToolExample[];
} {
  const examples = readExamples(schema.examples);
  if (examples.length === 0) return { schema, examples };
  const { examples: _, ...rest } = schema;
  return { schema: rest, examples };
}
