// Compares two definitions of a tool: whether they are the same, and the text in which people see the difference.

import { compareText, type Tool, type UnnamedTool } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';
import { sameJson } from '../../core/util/sameJson';

/** The parts of a tool's definition that models or users read, or that decide whether the user is asked. */
export type Said = Pick<
  UnnamedTool,
  'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations' | 'examples'
>;

export function saidOf(
  { title, description, inputSchema, outputSchema, annotations }: Omit<Said, 'examples'>,
  { examples }: Pick<Said, 'examples'>,
): Said {
  return { title, description, inputSchema, outputSchema, annotations, examples };
}

/** Whether two definitions of a tool are the same to models and users. Examples don't count: they are checked later. */
export function isSaidAlike(one: Tool, other: Tool): boolean {
  const [a, b] = [saidOf(one, {}), saidOf(other, {})];
  return sameJson(a, b) || sameJson(inOrder(a), inOrder(b));
}

/** Keywords whose lists have no meaningful order. Some servers order them differently at each start. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum']);

/** Returns a value with sorted keys and sorted `required` and `enum` lists, so that another order isn't a change. */
export function inOrder(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => inOrder(item));
    return SETS.has(key) ? items.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))) : items;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort(compareText);
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name], name)]));
}

/** Returns a definition as text that people can compare. */
export function textOf({ description, inputSchema, ...more }: Said): string {
  const said = Object.entries(more).filter(([, value]) => value !== undefined);
  const rest = said.map(([name, value]) => `\n${name}: ${JSON.stringify(inOrder(value), undefined, 2)}\n`);
  return `${description}\n\n${JSON.stringify(inOrder(inputSchema), undefined, 2)}\n${rest.join('')}`;
}
