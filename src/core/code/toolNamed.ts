import type { Tool } from '../catalog/tool';
import { scriptName } from './signature';

/**
 * Returns the tool with this model name, id or name under which it is run. Otherwise, if exactly one tool has this as
 * its server's own name or its script name, returns that tool.
 */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const byName =
    tools.find((tool) => tool.modelName === name) ?? tools.find((tool) => tool.id === name || tool.invokeName === name);
  if (byName) return byName;
  const sameName = tools.filter((tool) => tool.name === name || scriptName(tool.modelName) === name);
  return sameName.length === 1 ? sameName[0] : undefined;
}
