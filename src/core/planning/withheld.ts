import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import { toolNamed } from '../code/toolNamed';
import { type HidingChoices, hiddenNamed } from './hidden';

/** Returns the message that a tool wasn't called because it changed and the user hasn't accepted the change. */
export function withheldWords({ modelName }: Tool): string {
  return `${modelName} was not called: it changed since the user accepted it, and they want to be asked first (toolsearch.changedTools). They can compare and accept it in the inspector of Tool Search.`;
}

/** Returns the message that searches leave out changed tools. */
export function notSearchedWords(count: number): string {
  return `Not searched: ${count === 1 ? '1 tool that has' : `${count} tools that have`} changed. The user wants to be asked first (toolsearch.changedTools), and can compare and accept in the inspector of Tool Search.`;
}

/** Returns a sentence for the model if a withheld or hidden tool has this name, which it may know from before. */
export function withheldOrHidden(
  name: string,
  { tools, withheld }: Pick<Catalog, 'tools' | 'withheld'>,
  choices: HidingChoices,
): string | undefined {
  const changed = toolNamed(name, [...(withheld?.values() ?? [])]);
  return changed ? withheldWords(changed) : hiddenNamed(name, tools, choices);
}
