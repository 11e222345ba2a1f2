import type { Tool } from '../catalog/tool';
import { scriptName } from './signature';

/** A tool by its model name, or by a name that can mean nothing else: its id, its source's name, its own name. */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const byName =
    tools.find((tool) => tool.modelName === name) ?? tools.find((tool) => tool.id === name || tool.invokeName === name);
  if (byName) return byName;
  const sameName = tools.filter((tool) => tool.name === name || scriptName(tool.modelName) === name);
  return sameName.length === 1 ? sameName[0] : undefined;
}
