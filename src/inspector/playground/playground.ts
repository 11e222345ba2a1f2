import type { Tool } from '../../core/catalog/tool';
import { ownQueries } from '../../core/search/query/ownQueries';
import { chooseStrategy } from '../../core/search/strategies/auto';
import { wordsOf } from '../../core/search/text/words';
import {
  BUILT_IN_STRATEGIES,
  isBuiltIn,
  type ScoreParts,
  type SearchHit,
  type SearchOutcome,
  type SearchPort,
  type SearchRequest,
} from '../../core/search/types';
import { mostTools } from '../../core/turn/ownToolInputs';
import { yieldToEventLoop } from '../../core/util/yieldToEventLoop';
import type { PlayAnswer, PlayBonus, PlayColumn, PlayHit, PlayRow } from '../protocol/playground';
import type { PlayQuestion } from '../protocol/requests';

/**
 * The maximum number of hits in a column. It is more than a model gets, so that hits just below the limit are visible.
 */
const SHOWN = 10;
/** The number of hits among which a tool is looked for. */
const DEPTH = 100;
/** The maximum number of tools that are named because they rank above the tool. */
const ABOVE = 3;

interface PlaygroundDeps {
  readonly search: SearchPort;
  readonly tool: (id: string) => Tool | undefined;
  /** Returns the ids of the tools to search: all, or those that a model would have to search for now. */
  readonly candidates: (scope: PlayQuestion['scope']) => ReadonlySet<string>;
  readonly settings: () => { readonly strategy: string; readonly maxResults: number };
  /** Returns the names of strategies that other extensions registered. */
  readonly registered: () => readonly string[];
}

/**
 * Answers the questions of the playground, which shows the hits of all search strategies for a query. A new question
 * cancels the previous one.
 */
export class Playground {
  readonly #deps: PlaygroundDeps;
  #current = new AbortController();
  /**
   * The built-in strategies that have run. The first run loads the index and compiles code, so its time isn't measured.
   */
  readonly #warm = new Set<string>();

  constructor(deps: PlaygroundDeps) {
    this.#deps = deps;
  }

  /**
   * Answers a question. `answer` is called one or more times, the last time with the complete answer, unless a newer
   * question comes.
   */
  async ask(question: PlayQuestion, answer: (answer: PlayAnswer) => void): Promise<void> {
    this.#current.abort();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const say = (said: PlayAnswer) => signal.aborted || answer(said);
    await (question.mode === 'query' ? this.#compare(question, signal, say) : this.#lookFor(question, signal, say));
  }

  /** Runs one query with all strategies. Built-in strategies are answered together, others when they are done. */
  async #compare(question: PlayQuestion, signal: AbortSignal, say: (answer: PlayAnswer) => void): Promise<void> {
    const limit = this.#deps.settings().maxResults;
    const inUse = this.#inUse(question.query);
    const nothing = { running: true, ms: 0, matched: 0, searched: 0, hits: [], returned: 0, nearest: [] };
    const columns = this.#strategies(inUse).map(
      (strategy): PlayColumn => ({ strategy, inUse: strategy === inUse, ...nothing }),
    );
    const sayAll = () => say({ mode: 'query', limit, columns: [...columns] });
    const asked = this.#request(question.query, SHOWN, this.#deps.candidates(question.scope));
    const run = async (column: PlayColumn, at: number) => {
      const { strategy } = column;
      const request = { ...asked, strategy, explain: true };
      if (isBuiltIn(strategy) && !this.#warm.has(strategy)) {
        await this.#deps.search.search(request, signal);
        this.#warm.add(strategy);
      }
      const outcome = await this.#deps.search.search(request, signal);
      columns[at] = columnOf(column, question.query, outcome);
    };
    for (const [at, column] of columns.entries()) {
      if (!isBuiltIn(column.strategy)) continue;
      await run(column, at);
      // One search is short, but there may be dozens.
      await yieldToEventLoop();
      if (signal.aborted) return;
    }
    sayAll();
    await Promise.all(columns.map((column, at) => column.running && run(column, at).then(sayAll)));
  }

  /** Tries the typed query, and queries made from the tool's own words, with all strategies. */
  async #lookFor(question: PlayQuestion, signal: AbortSignal, say: (answer: PlayAnswer) => void): Promise<void> {
    const id = question.tool ?? '';
    const tool = this.#deps.tool(id);
    const limit = this.#deps.settings().maxResults;
    const inUse = this.#inUse(question.query);
    const strategies = this.#strategies(inUse);
    const typed = question.query.trim();
    const own: readonly { source: PlayRow['source']; query: string }[] = tool ? ownQueries(tool) : [];
    const queries =
      typed === '' ? own : [{ source: 'typed' as const, query: typed }, ...own.filter(({ query }) => query !== typed)];
    const candidates = new Set(this.#deps.candidates(question.scope)).add(id);
    const rows: PlayRow[] = [];
    const sayAll = () =>
      say({
        mode: 'tool',
        tool: id,
        limit,
        depth: DEPTH,
        strategies: strategies.map((name) => ({ name, inUse: name === inUse })),
        rows: [...rows],
        running: rows.length < queries.length,
      });
    for (const { source, query } of queries) {
      const outcomes: SearchOutcome[] = [];
      for (const strategy of strategies) {
        outcomes.push(await this.#deps.search.search({ ...this.#request(query, DEPTH, candidates), strategy }, signal));
        await yieldToEventLoop();
        if (signal.aborted) return;
      }
      rows.push({
        source,
        query,
        cells: outcomes.map((outcome) => cellOf(id, outcome)),
        above: above(id, outcomes[0]),
      });
      sayAll();
    }
    if (queries.length === 0) sayAll();
  }

  /** Returns a search as a model's, with more hits below its limit. */
  #request(query: string, shown: number, candidates: ReadonlySet<string>): Omit<SearchRequest, 'strategy'> {
    const settings = this.#deps.settings();
    return { query, limit: settings.maxResults, namedLimit: mostTools(settings), shown, candidates };
  }

  /** Returns the strategy that a search would use now. */
  #inUse(query: string): string {
    const { strategy } = this.#deps.settings();
    return strategy === 'auto' ? chooseStrategy(query).strategy : strategy;
  }

  /** Returns all strategies. The one in use comes first, since the others are compared with it. */
  #strategies(inUse: string): string[] {
    const all = [...BUILT_IN_STRATEGIES, ...this.#deps.registered()];
    return [inUse, ...all.filter((name) => name !== inUse)];
  }
}

function columnOf(column: PlayColumn, query: string, outcome: SearchOutcome): PlayColumn {
  const done = { ...column, running: false, ms: outcome.ms };
  if (!outcome.ok) return { ...done, error: outcome.error.message };
  // The hits come from a fallback, which has its own column.
  if (outcome.warning !== undefined) return { ...done, searched: outcome.searched, error: outcome.warning.user };
  const shown = [...outcome.hits, ...outcome.below].slice(0, Math.max(SHOWN, outcome.hits.length));
  const hits = shown.map((hit, index) => hitOf(hit, index + 1, query, column.strategy));
  const words = outcome.hits[0]?.parts?.words.map(({ word, tools }) => ({ word, tools }));
  const returned = outcome.hits.length;
  const found = { matched: outcome.matched, searched: outcome.searched, hits, returned, nearest: outcome.nearest };
  return { ...done, ...found, ...(words ? { words } : {}) };
}

function hitOf(
  { tool, score, matchType, terms, parts, weak }: SearchHit,
  rank: number,
  query: string,
  strategy: string,
): PlayHit {
  const scored = strategy === 'bm25' || strategy === 'keywords';
  return {
    rank,
    ...named(tool),
    ...(scored ? { score } : {}),
    terms: terms.length > 0 ? terms : wordsOf(query),
    ...(weak ? { weak } : {}),
    ...(scored && (matchType === 'exact_name' || matchType === 'select') ? { named: true } : {}),
    ...(parts ? { parts: partsOf(parts) } : {}),
  };
}

/** Returns the parts above zero. A long query has many words that most tools don't contain. */
function partsOf({ words, ...bonuses }: ScoreParts): PlayHit['parts'] {
  const added = Object.entries(bonuses).filter(([, adds]) => adds > 0);
  return {
    words: words.filter(({ adds }) => adds > 0).map(({ tools: _, ...part }) => part),
    bonuses: Object.fromEntries(added) as Partial<Record<PlayBonus, number>>,
  };
}

function named({ id, server, name }: Tool) {
  return { id, server, name };
}

function cellOf(id: string, outcome: SearchOutcome): PlayRow['cells'][number] {
  if (!outcome.ok) return { error: outcome.error.message };
  if (outcome.warning !== undefined) return { error: outcome.warning.user };
  const index = [...outcome.hits, ...outcome.below].findIndex((hit) => hit.tool.id === id);
  if (index < 0) return {};
  return { rank: index + 1, ...(index < outcome.hits.length ? { returned: true } : {}) };
}

function above(id: string, outcome: SearchOutcome | undefined): PlayRow['above'] {
  if (!outcome?.ok) return [];
  const hits = [...outcome.hits, ...outcome.below];
  const index = hits.findIndex((hit) => hit.tool.id === id);
  return hits.slice(0, index < 0 ? ABOVE : Math.min(index, ABOVE)).map((hit) => named(hit.tool));
}
