import type { Tool } from '../catalog/tool';
import { scriptName } from './signature';

/**
 * Finds a tool by a name: its model name, its id, or the name under which its provider runs it. Otherwise by its name on
 * its server or its name in scripts, if only one tool has it.
 */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const byName =
    tools.find((tool) => tool.modelName === name) ?? tools.find((tool) => tool.id === name || tool.invokeName === name);
  if (byName) return byName;
  const sameName = tools.filter((tool) => tool.name === name || scriptName(tool.modelName) === name);
  return sameName.length === 1 ? sameName[0] : undefined;
}
