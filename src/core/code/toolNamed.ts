import type { Tool } from '../catalog/tool';
import { squash, wordsOf } from '../search/text/words';
import { cut } from '../util/cut';
import { firstNames } from '../util/firstNames';
import { scriptName } from './scriptName';

/** The maximum number of tools that a name is said to mean. */
const MAX_MEANT = 5;

/** Words that models write before a tool's name: `mcp__github__get_issue`, `functions.github_get_issue`. */
const BEFORE: ReadonlySet<string> = new Set(['mcp', 'functions', 'tools', 'default', 'api']);

/** Finds the only tool that a name may mean: see {@link toolsNamed}. */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const [only, ...more] = toolsNamed(name, tools);
  return more.length === 0 ? only : undefined;
}

/**
 * Returns the tools that a name may mean: the one with this model name, this id, or this name at its provider.
 * Otherwise all with this name on their server, or with this end of their model name, in any spelling.
 */
export function toolsNamed(name: string, tools: readonly Tool[]): readonly Tool[] {
  const byName =
    tools.find((tool) => tool.modelName === name) ?? tools.find((tool) => tool.id === name || tool.invokeName === name);
  if (byName) return [byName];
  const wanted = squash(name);
  if (wanted === '') return [];
  const named = tools.filter((tool) => squash(tool.name) === wanted || squash(tool.modelName) === wanted);
  if (named.length > 0) return named;
  const words = wordsOf(name);
  const bare = words.slice(words.findIndex((word) => !BEFORE.has(word))).join('');
  return tools.filter(({ modelName }) => squash(modelName) === bare || endsIn(wanted, wordsOf(modelName)));
}

/** Whether the last words of a name are these letters. */
function endsIn(letters: string, words: readonly string[]): boolean {
  return words.some((_, from) => words.slice(from).join('') === letters);
}

/** Whether half of the words of a name that no tool has are in a tool's name. */
export function isLike(name: string, { modelName }: Tool): boolean {
  const own = wordsOf(modelName);
  const said = wordsOf(name).filter((word) => word.length > 2);
  const known = said.filter((word) => own.some((it) => it.includes(word) || (it.length > 2 && word.includes(it))));
  return known.length > 0 && known.length * 2 >= said.length;
}

/** Says that no tool has a name, and which names are nearest, in words for the model. */
export function noToolNamed(name: string, nearest: readonly string[]): string {
  return `There is no tool named '${cut(name, 80)}'.${nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : ''}`;
}

/** Says which tools a name may mean, in words for the model. */
export function mayMean(name: string, tools: readonly Tool[]): string {
  const names = tools.map(({ modelName }) => scriptName(modelName));
  return `'${cut(name, 80)}' may mean ${firstNames(names, MAX_MEANT)}. Use the whole name.`;
}
