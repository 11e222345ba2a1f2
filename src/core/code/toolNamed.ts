import type { Tool } from '../catalog/tool';

/**
 * Finds a tool by a name: its model name, its id, or the name under which its provider runs it. Otherwise by its name on
 * its server or the end of its model name, in any spelling, if only one tool has it.
 */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const byName =
    tools.find((tool) => tool.modelName === name) ?? tools.find((tool) => tool.id === name || tool.invokeName === name);
  const wanted = spelled(name);
  if (byName || wanted === '') return byName;
  const named = tools.filter((tool) => spelled(tool.name) === wanted || spelled(tool.modelName) === wanted);
  const [only, ...more] =
    named.length > 0 ? named : tools.filter((tool) => spelled(tool.modelName).endsWith(`_${wanted}`));
  return more.length === 0 ? only : undefined;
}

/** Returns a name without the differences that models make: `Delete-Many`, `delete.many` and `delete_many` are one. */
function spelled(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}
