import MiniSearch from 'minisearch';
import type { Tool } from '../../src/core/catalog/tool';
import { searchedFields } from '../../src/core/search/fields/fields';
import { ToolIndex } from '../../src/core/search/toolIndex';
import type { WordsOf } from '../../src/core/search/words/searchWords';
import { InputError } from './data';

/** Answers a query with at most ten ids, best first. */
export type Search = (query: string) => readonly string[];

/** A way to search tools: our own, or the algorithm of a peer. */
export interface Engine {
  readonly name: string;
  /** @param wordsOf search words, which only our own engine uses */
  build(tools: readonly Tool[], wordsOf?: WordsOf): Promise<Search>;
}

const LIMIT = 10;

/** One of our strategies. */
export function ours(strategy: string): Engine {
  return {
    name: `Tool Search ${strategy}`,
    async build(tools, wordsOf) {
      const index = new ToolIndex(tools, wordsOf);
      return searchWith(index, strategy);
    },
  };
}

/** Searches an index. A refused query (`regex` can refuse a phrase) finds nothing; an unknown strategy is an error. */
export function searchWith(index: ToolIndex, strategy: string): Search {
  return (query) => {
    const outcome = index.search({ query, strategy, limit: LIMIT });
    if (outcome.ok) return outcome.hits.map((hit) => hit.tool.id);
    if (outcome.error.code === 'unknown_strategy') throw new InputError(outcome.error.message);
    return [];
  };
}

const tokens = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** MiniSearch with its defaults, over name and description. */
const miniSearch: Engine = {
  name: 'MiniSearch, defaults',
  async build(tools) {
    const index = new MiniSearch<Tool>({ fields: ['name', 'description'] });
    index.addAll(tools);
    return (query) =>
      index
        .search(query)
        .slice(0, LIMIT)
        .map((hit) => hit.id as string);
  },
};

/** SQLite's full-text search with the Porter stemmer. It matches any of the words and ranks by its bm25(). */
const fts5: Engine = {
  name: 'SQLite FTS5, porter',
  async build(tools) {
    const { default: init } = await import('@sqlite.org/sqlite-wasm');
    const sqlite = await init({ print: () => {}, printErr: () => {} });
    const db = new sqlite.oo1.DB(':memory:');
    db.exec("CREATE VIRTUAL TABLE tools USING fts5(id UNINDEXED, name, description, tokenize = 'porter unicode61')");
    db.transaction(() => {
      const insert = db.prepare('INSERT INTO tools VALUES (?, ?, ?)');
      for (const tool of tools) insert.bind([tool.id, tool.name, tool.description]).stepReset();
      insert.finalize();
    });
    return (query) => {
      const match = tokens(query)
        .map((token) => `"${token}"`)
        .join(' OR ');
      if (match === '') return [];
      return db.selectValues(`SELECT id FROM tools WHERE tools MATCH ? ORDER BY bm25(tools) LIMIT ${LIMIT}`, [
        match,
      ]) as string[];
    };
  },
};

/** pydantic-ai's local algorithm, which counts the query's words in name and description. */
const overlap: Engine = {
  name: 'keyword overlap',
  async build(tools) {
    const words = tools.map((tool) => new Set(tokens(`${tool.name} ${tool.description}`)));
    return (query) => {
      const wanted = [...new Set(tokens(query))];
      return best(
        tools,
        words.map((own) => wanted.filter((word) => own.has(word)).length),
      );
    };
  },
};

/** Okapi BM25 with k1 = 1.5 and b = 0.75 over name, description and arguments in one text. */
const okapi: Engine = {
  name: 'Okapi BM25 1.5/0.75',
  async build(tools) {
    const documents = tools.map((tool) => {
      const { name, description, argumentNames, argumentTexts } = searchedFields(tool);
      return tokens([name, description, ...argumentNames, ...argumentTexts].join(' '));
    });
    const mean = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
    const postings = new Map<string, Map<number, number>>();
    for (const [i, words] of documents.entries()) {
      for (const word of words) {
        const counts = postings.get(word) ?? new Map<number, number>();
        counts.set(i, (counts.get(i) ?? 0) + 1);
        postings.set(word, counts);
      }
    }
    return (query) => {
      const scores = new Array<number>(tools.length).fill(0);
      for (const word of new Set(tokens(query))) {
        const counts = postings.get(word);
        if (!counts) continue;
        const idf = Math.log(1 + (tools.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [i, count] of counts) {
          const length = (documents[i]?.length ?? 0) / mean;
          scores[i] = (scores[i] ?? 0) + (idf * count * 2.5) / (count + 1.5 * (0.25 + 0.75 * length));
        }
      }
      return best(tools, scores);
    };
  },
};

/** The ids of the highest scores above 0. Equal scores keep the catalog's order, as in the peers. */
function best(tools: readonly Tool[], scores: readonly number[]): string[] {
  return [...scores.keys()]
    .filter((i) => (scores[i] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, LIMIT)
    .map((i) => tools[i]?.id ?? '');
}

export const PEERS: readonly Engine[] = [miniSearch, fts5, overlap, okapi];
