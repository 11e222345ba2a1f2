import type { Tool } from '../../catalog/tool';
import { STOP_WORDS } from '../text/lexicon';
import { wordsOf } from '../text/words';

/** The part of a tool that a query was made from. */
export type OwnSource = 'name' | 'title' | 'description' | 'example' | 'word';

/** A query made from a tool's own texts. */
interface OwnQuery {
  readonly source: OwnSource;
  readonly query: string;
}

/** The number of words of a description's first sentence that a query keeps. Models write phrases, not paragraphs. */
const MAX_WORDS = 12;
/** The number of single words of a name that are tried alone. */
const MAX_SINGLE = 4;

/** Returns queries made from a tool's own words, each once, of every {@link OwnSource}. */
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
  const telling = name.filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  for (const word of telling.slice(0, MAX_SINGLE)) add('word', [word]);
  return queries;
}

/** Returns the first words of the first sentence, at most as many as a query may have. */
function firstSentence(description: string): readonly string[] {
  const sentence = /^[\s\S]*?(?:[.!?](?=\s|$)|\n\s*\n|$)/.exec(description.trim())?.[0] ?? '';
  return wordsOf(sentence).slice(0, MAX_WORDS);
}
