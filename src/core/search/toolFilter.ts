import MiniSearch from 'minisearch';
import type { Tool } from '../catalog/tool';
import { readMarks } from './marks';
import { singular, wordsOf } from './text/words';

/**
 * A filter for a box that a person types into: every word counts from its first letters on, and typos are forgiven. That
 * is what a person wants and what ranking for a model must not do, hence another engine. `@server` leaves the servers whose
 * names begin so, `is:readonly` the tools that say that they only read. An empty text gives all tools.
 */
export function createToolFilter(tools: readonly Tool[]): (text: string) => readonly Tool[] {
  const sorted = [...tools].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const index = new MiniSearch<Tool>({
    fields: ['name', 'server', 'title', 'description'],
    tokenize: (text) => wordsOf(text),
    processTerm: (term) => singular(term),
    // Typing a name is the common case; a description of many words matches almost anything by prefix.
    searchOptions: {
      boost: { name: 4, title: 2, server: 2 },
      combineWith: 'AND',
      prefix: true,
      // In letters; two, since swapping neighbours counts as two.
      fuzzy: (term) => (term.length > 5 ? 2 : term.length > 3 ? 1 : false),
    },
  });
  index.addAll(sorted);
  const byId = new Map(sorted.map((tool) => [tool.id, tool]));
  return (typed) => {
    const { text, passes } = readMarks(typed);
    const found =
      wordsOf(text).length === 0 ? sorted : index.search(text).flatMap((hit) => byId.get(hit.id as string) ?? []);
    return found.filter(passes);
  };
}
