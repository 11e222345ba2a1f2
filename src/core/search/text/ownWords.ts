import type { Tool } from '../../catalog/tool';
import { STOP_WORDS } from './lexicon';
import { wordsOf } from './words';

/** Where a query that is made of a tool's own words comes from. */
export type OwnSource = 'name' | 'title' | 'description' | 'example' | 'word';

/** A query made of what a tool says of itself. */
interface OwnQuery {
  readonly source: OwnSource;
  readonly query: string;
}

/** Words of a description's first sentence that a query keeps: models ask in phrases, not in paragraphs. */
const MAX_WORDS = 12;
/** Single words of a name that are tried alone. */
const MAX_SINGLE = 4;

/**
 * The queries that a tool's own words make: its name, its title, the first sentence of its description, what its examples
 * say, and the telling words of its name alone. No two of them are the same.
 */
export function ownQueries(tool: Tool): readonly OwnQuery[] {
  const queries: OwnQuery[] = [];
  const seen = new Set<string>();
  const add = (source: OwnSource, words: readonly string[]) => {
    const query = words.join(' ');
    if (query === '' || seen.has(query)) return;
    seen.add(query);
    queries.push({ source, query });
  };
  const name = wordsOf(tool.name);
  add('name', name);
  add('title', wordsOf(tool.title ?? ''));
  add('description', firstSentence(tool.description));
  for (const example of tool.examples ?? []) add('example', wordsOf(example.description ?? '').slice(0, MAX_WORDS));
  if (name.length > 1) for (const word of name.filter(isTelling).slice(0, MAX_SINGLE)) add('word', [word]);
  return queries;
}

/** Its words, at most so many that a query could have them. */
function firstSentence(description: string): readonly string[] {
  const sentence = /^[\s\S]*?(?:[.!?](?=\s|$)|\n\s*\n|$)/.exec(description.trim())?.[0] ?? '';
  return wordsOf(sentence).slice(0, MAX_WORDS);
}

function isTelling(word: string): boolean {
  return word.length > 1 && !STOP_WORDS.has(word);
}
