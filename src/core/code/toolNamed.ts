import type { Tool } from '../catalog/tool';
import { scriptName } from './signature';

/**
 * Returns the tool with this model name, id or name under which it is run. Otherwise returns the only tool with this
 * own name or script name.
 */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const byName =
    tools.find((tool) => tool.modelName === name) ?? tools.find((tool) => tool.id === name || tool.invokeName === name);
  if (byName) return byName;
  const sameName = tools.filter((tool) => tool.name === name || scriptName(tool.modelName) === name);
  return sameName.length === 1 ? sameName[0] : undefined;
}
