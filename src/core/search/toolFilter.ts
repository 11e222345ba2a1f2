import MiniSearch from 'minisearch';
import type { Tool } from '../catalog/tool';
import { singular } from './text/stem';
import { wordsOf } from './text/words';
import { readTypedFilters } from './typedFilters';

/**
 * Creates the filter for a box that a person types into. Every word matches from its first letters on, and typos are
 * tolerated. Such matches would be wrong in a ranking for a model, so this filter has its own engine. An empty text
 * returns all tools. See {@link readTypedFilters} for `@server` and `is:readonly`.
 */
export function createToolFilter(tools: readonly Tool[]): (text: string) => readonly Tool[] {
  const sorted = [...tools].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const index = new MiniSearch<Tool>({
    fields: ['name', 'server', 'title', 'description'],
    tokenize: (text) => wordsOf(text),
    processTerm: (term) => singular(term),
    // Prefers matches in names, which people mostly type. A long description matches almost anything by prefix.
    searchOptions: {
      boost: { name: 4, title: 2, server: 2 },
      combineWith: 'AND',
      prefix: true,
      // The number of tolerated wrong letters. It is two for longer words, since two swapped neighbours count as two.
      fuzzy: (term) => (term.length > 5 ? 2 : term.length > 3 ? 1 : false),
    },
  });
  index.addAll(sorted);
  const byId = new Map(sorted.map((tool) => [tool.id, tool]));
  return (typed) => {
    const { text, passes } = readTypedFilters(typed);
    const found =
      wordsOf(text).length === 0 ? sorted : index.search(text).flatMap((hit) => byId.get(hit.id as string) ?? []);
    return found.filter(passes);
  };
}
