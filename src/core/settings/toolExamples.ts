import { type Json, type JsonSchema, plainId, type ToolExample } from '../catalog/tool';
import { isObject, isTooDeep } from '../util/objects';
import { sameJson } from '../util/sameJson';
import type { Settings } from './settings';

/** The setting `toolsearch.examples`. */
export type ExampleRules = Settings['examples'];

/** The maximum length of an example, in characters of JSON. A longer one costs more than it teaches, or is hostile. */
const MAX_CHARS = 2_000;
/** The maximum number of examples that are read for one tool. */
const MAX_READ = 50;

/** The author of an example, and the example's position in the author's list. */
export interface ExampleOrigin {
  readonly by: 'user' | 'server';
  readonly index: number;
}

/**
 * Returns a tool's examples: the user's, and the server's if the setting allows them. They fit the
 * tool, have a wanted tag, and are limited to the number in the settings.
 * @param own the examples that the tool's server gives (`_meta`) or that its schema contains
 */
export function examplesOf(
  { id }: { readonly id: string },
  own: readonly ToolExample[],
  rules: ExampleRules,
  fits: (example: ToolExample, origin: ExampleOrigin) => boolean,
): readonly ToolExample[] {
  const wanted = new Set(rules.tags);
  const key = Object.hasOwn(rules.tools, id) ? id : plainId(id);
  const given = Object.hasOwn(rules.tools, key) ? (rules.tools[key] ?? []) : [];
  const users = given.filter((example, index) => fits(example, { by: 'user', index }));
  const usesOwn = rules.servers === 'add' || (rules.servers === 'replace' && users.length === 0);
  const servers = usesOwn ? own.filter((example, index) => fits(example, { by: 'server', index })) : [];
  const distinct = [...users, ...servers].filter(
    (example, index, all) => all.findIndex((other) => sameJson(other.args, example.args)) === index,
  );
  return distinct
    .filter((example) => wanted.size === 0 || example.tags?.some((tag) => wanted.has(tag)))
    .slice(0, rules.perTool)
    .map(({ args, description, tags }) => ({
      args,
      ...(rules.descriptions && description !== undefined ? { description } : {}),
      ...(tags === undefined ? {} : { tags }),
    }));
}

/** Reads examples from outside: objects of arguments, alone or under `args` beside a description and tags. */
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

/** Removes a schema's `examples`, so that they are sent only once, in the form of the model's wire. */
export function takeExamples(schema: JsonSchema) {
  const examples = readExamples(schema.examples);
  if (examples.length === 0) return { schema, examples };
  const { examples: _, ...rest } = schema;
  return { schema: rest, examples };
}
