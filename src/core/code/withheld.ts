import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import { toolNamed } from './toolNamed';

/** Why a tool isn't called that the user hasn't accepted since it changed, for the model and whoever reads along. */
export function changedWords({ modelName }: Tool): string {
  return `${modelName} was not called: it changed since the user accepted it, and they want to be asked first (toolsearch.changedTools). They can compare and accept it in the inspector of Tool Search.`;
}

/** That searches leave some out for that. */
export function withheldWords(count: number): string {
  return `Not searched: ${count === 1 ? '1 tool that has' : `${count} tools that have`} changed. The user wants to be asked first (toolsearch.changedTools), and can compare and accept in the inspector of Tool Search.`;
}

/** The tool that is kept from models, and that a caller means who knows it from before. */
export function withheldTool(name: string, { withheld }: Pick<Catalog, 'withheld'>): Tool | undefined {
  return toolNamed(name, [...(withheld?.values() ?? [])]);
}
