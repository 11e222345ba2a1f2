import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { isObject } from '../../core/util/objects';
import type { SettingsStore } from '../../vscode/settings';
import type { SuggestionControllerDeps, Undo } from '../suggestions/controller';

const DISMISSED = 'dismissedSuggestions';

/**
 * Creates the actions of suggestions: they change settings, ask for words, and store which suggestions the user
 * dismissed.
 */
export function createSuggestionActions(
  settings: SettingsStore,
  memento: vscode.Memento,
): Pick<SuggestionControllerDeps, 'setSetting' | 'addExample' | 'dismissed'> {
  return {
    async setSetting(key, value) {
      const { before, set } = await settings.change(key, () => value);
      return () => set(before);
    },
    addExample: (tool) => addExample(tool, settings),
    dismissed: {
      get: () => {
        const kept = memento.get<unknown>(DISMISSED);
        return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
      },
      set: async (ids) => memento.update(DISMISSED, ids),
    },
  };
}

/**
 * Stores the user's words as an example of a tool, with placeholders as arguments, since the search uses only the
 * words.
 */
async function addExample(tool: Tool, settings: SettingsStore): Promise<Undo | undefined> {
  const words = await vscode.window.showInputBox({
    title: vscode.l10n.t('Example for {0}', tool.id),
    prompt: vscode.l10n.t(
      'Write in a few words what this tool is used for, the way somebody would ask for it. Searches read these words like its description.',
    ),
    placeHolder: tool.description.slice(0, 100),
  });
  if (words === undefined || words.trim() === '') return undefined;
  const example = { args: requiredArguments(tool), description: words.trim() };
  const examplesOf = (value: unknown) => (isObject(value) ? value : {});
  const { before } = await settings.change('examples', (value) => {
    const own = examplesOf(value)[tool.id];
    return { ...examplesOf(value), [tool.id]: [...(Array.isArray(own) ? own : []), example] };
  });
  const had = examplesOf(before)[tool.id];
  // Other tools may have new examples by now, so only this tool's are restored.
  return async () => {
    await settings.change('examples', (value) => {
      const { [tool.id]: _, ...others } = examplesOf(value);
      const back = had === undefined ? others : { ...others, [tool.id]: had };
      return before === undefined && Object.keys(back).length === 0 ? undefined : back;
    });
  };
}

function requiredArguments({ inputSchema }: Tool): { readonly [name: string]: string } {
  const required: readonly unknown[] = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  return Object.fromEntries(required.filter((name) => typeof name === 'string').map((name) => [name, `<${name}>`]));
}
