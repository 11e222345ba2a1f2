import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import { toolNamed } from './toolNamed';

/** Returns the message that a tool wasn't called because it changed and the user hasn't accepted the change. */
export function changedWords({ modelName }: Tool): string {
  return `${modelName} was not called: it changed since the user accepted it, and they want to be asked first (toolsearch.changedTools). They can compare and accept it in the inspector of Tool Search.`;
}

/** Returns the message that searches leave out changed tools. */
export function withheldWords(count: number): string {
  return `Not searched: ${count === 1 ? '1 tool that has' : `${count} tools that have`} changed. The user wants to be asked first (toolsearch.changedTools), and can compare and accept in the inspector of Tool Search.`;
}

/**
 * Returns the withheld tool with this name; undefined if there is none. A model or script may know the name from before
 * the tool was withheld.
 */
export function withheldTool(name: string, { withheld }: Pick<Catalog, 'withheld'>): Tool | undefined {
  return toolNamed(name, [...(withheld?.values() ?? [])]);
}
