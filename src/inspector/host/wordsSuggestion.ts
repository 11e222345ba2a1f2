import * as vscode from 'vscode';
import { isListedItem, type Tool } from '../../core/catalog/tool';
import { offeredTools } from '../../core/planning/hidden';
import type { WordBook } from '../../core/search/words/wordBook';
import { languagesToWrite, toolsToWrite, writingFigures } from '../../core/search/words/writeWords';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { Suggestion } from '../../core/suggestions/types';
import type { Tokens } from '../../core/usage/types';
import { memoize } from '../../core/util/memoize';
import type { SuggesterDeps } from '../suggestions/suggester';

/** The services that the suggestion to write search words needs. */
export interface WordsSuggestionDeps {
  readonly book: () => Promise<WordBook>;
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  readonly tools: () => readonly Tool[];
}

/**
 * Returns the suggestion to write search words, with the number of tools and tokens. Undefined if no words are missing,
 * or if the words aren't loaded yet.
 */
export function createWordsSuggestion({ book, settings, pins, tools }: WordsSuggestionDeps): SuggesterDeps['words'] {
  let loaded: WordBook | undefined;
  const made = memoize<Suggestion | undefined>();
  return {
    suggested() {
      if (!loaded) {
        void book().then((words) => {
          loaded = words;
        });
        return undefined;
      }
      const words = loaded;
      return made([tools(), settings(), pins(), words.revision], () => suggest(words));
    },
    write: async () => vscode.commands.executeCommand('toolsearch.writeSearchWords'),
  };

  function suggest(words: WordBook): Suggestion | undefined {
    if (settings().searchWords === 'off') return undefined;
    const shown = offeredTools(tools(), { settings: settings(), pins: pins() }).filter((tool) => !isListedItem(tool));
    const languages = languagesToWrite(settings().searchWordsLanguages, vscode.env.language);
    const missing = toolsToWrite(shown, languages, words.of);
    if (missing.length === 0) return undefined;
    const { input, output, requests } = writingFigures(missing, languages);
    return {
      id: 'words',
      kind: 'writeWords',
      tools: missing.length,
      of: shown.length,
      languages,
      input: estimated(input),
      output: estimated(output),
      requests,
    };
  }
}

function estimated(value: number): Tokens {
  return { value, certainty: 'estimated' };
}
