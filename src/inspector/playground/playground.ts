import type { Tool } from '../../core/catalog/tool';
import { chooseStrategy } from '../../core/search/strategies/auto';
import { ownQueries } from '../../core/search/text/ownWords';
import { wordsOf } from '../../core/search/text/words';
import {
  BUILT_IN_STRATEGIES,
  type ScoreParts,
  type SearchHit,
  type SearchOutcome,
  type SearchPort,
} from '../../core/search/types';
import type { PlayAnswer, PlayBonus, PlayColumn, PlayHit, PlayRow } from '../protocol/playground';
import type { PlayQuestion } from '../protocol/requests';

/** Hits that a column shows: more than a model gets, so that one sees what just missed. */
const SHOWN = 10;
/** How deep a tool is looked for. */
const DEPTH = 100;
/** Tools named as those that outrank it. */
const ABOVE = 3;

/** Dependencies of the playground. */
interface PlaygroundDeps {
  readonly search: SearchPort;
  readonly tool: (id: string) => Tool | undefined;
  /** Ids of the tools that a model can have: all, or those that it would have to search for now. */
  readonly candidates: (scope: PlayQuestion['scope']) => ReadonlySet<string>;
  readonly settings: () => { readonly strategy: string; readonly maxResults: number };
  /** Names of strategies that other extensions registered. */
  readonly registered: () => readonly string[];
  /** Lets the host do other things: one search is short, dozens in a row aren't. */
  readonly pause: () => Promise<void>;
}

/** Answers the newest question only: an older one that is still at work stops, and says nothing more. */
export class Playground {
  readonly #deps: PlaygroundDeps;
  #current = new AbortController();
  /**
   * Built-in strategies that have run: a first run reads the index and compiles code, so its time can't be
   * compared.
   */
  readonly #warm = new Set<string>();

  constructor(deps: PlaygroundDeps) {
    this.#deps = deps;
  }

  /** `answer` is called at least once unless a newer question comes, at last with the whole answer. */
  async ask(question: PlayQuestion, answer: (answer: PlayAnswer) => void): Promise<void> {
    this.#current.abort();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const say = (said: PlayAnswer) => signal.aborted || answer(said);
    await (question.mode === 'query' ? this.#compare(question, signal, say) : this.#lookFor(question, signal, say));
  }

  /** One query under all strategies: those of our own at once, others as they answer. */
  async #compare(question: PlayQuestion, signal: AbortSignal, say: (answer: PlayAnswer) => void): Promise<void> {
    const limit = this.#deps.settings().maxResults;
    const inUse = this.#inUse(question.query);
    const columns = this.#strategies(inUse).map((strategy) => waiting(strategy, strategy === inUse));
    const sayAll = () => say({ mode: 'query', limit, columns: [...columns] });
    const candidates = this.#deps.candidates(question.scope);
    const run = async (column: PlayColumn) => {
      const { strategy } = column;
      const request = { query: question.query, strategy, limit: SHOWN, candidates, explain: true };
      if (isBuiltIn(strategy) && !this.#warm.has(strategy)) {
        await this.#deps.search.search(request, signal);
        this.#warm.add(strategy);
      }
      const outcome = await this.#deps.search.search(request, signal);
      columns[columns.indexOf(column)] = columnOf(column, question.query, outcome, limit);
    };
    for (const column of [...columns]) {
      if (!isBuiltIn(column.strategy)) continue;
      await run(column);
      await this.#deps.pause();
      if (signal.aborted) return;
    }
    sayAll();
    const outside = columns.filter((column) => column.running);
    await Promise.all(outside.map((column) => run(column).then(sayAll)));
  }

  /** Every query that a tool's own words make, and the one that was typed, under all strategies. */
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
        outcomes.push(await this.#deps.search.search({ query, strategy, limit: DEPTH, candidates }, signal));
        await this.#deps.pause();
        if (signal.aborted) return;
      }
      rows.push({
        source,
        query,
        cells: outcomes.map((outcome) => cellOf(id, outcome, limit)),
        above: above(id, outcomes[0]),
      });
      sayAll();
    }
    if (queries.length === 0) sayAll();
  }

  /** The strategy that a search would use now. */
  #inUse(query: string): string {
    const { strategy } = this.#deps.settings();
    return strategy === 'auto' ? chooseStrategy(query).strategy : strategy;
  }

  /** The one in use first: the others are read against it. */
  #strategies(inUse: string): string[] {
    const all = [...BUILT_IN_STRATEGIES, ...this.#deps.registered()];
    const ordered = ['bm25', 'keywords', 'regex', 'exact', ...all.filter((name) => !isBuiltIn(name))];
    return [inUse, ...ordered.filter((name) => name !== inUse)];
  }
}

function isBuiltIn(strategy: string): boolean {
  return (BUILT_IN_STRATEGIES as readonly string[]).includes(strategy);
}

function waiting(strategy: string, inUse: boolean): PlayColumn {
  return { strategy, inUse, running: true, ms: 0, matched: 0, searched: 0, hits: [], returned: 0, nearest: [] };
}

function columnOf(column: PlayColumn, query: string, outcome: SearchOutcome, limit: number): PlayColumn {
  const done = { ...column, running: false, ms: outcome.ms };
  if (!outcome.ok) return { ...done, error: outcome.error.message };
  // The hits of a stand-in are in a column of their own.
  if (outcome.warning !== undefined) return { ...done, searched: outcome.searched, error: outcome.warning };
  const shown = [...outcome.hits, ...outcome.below].slice(0, SHOWN);
  const hits = shown.map((hit, index) => hitOf(hit, index + 1, query, column.strategy));
  const words = outcome.hits[0]?.parts?.words.map(({ word, tools }) => ({ word, tools }));
  const returned = Math.min(limit, outcome.hits.length);
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

/** Only what adds something: a long query has many words that most tools don't have. */
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

function cellOf(id: string, outcome: SearchOutcome, limit: number): PlayRow['cells'][number] {
  if (!outcome.ok) return { error: outcome.error.message };
  if (outcome.warning !== undefined) return { error: outcome.warning };
  const index = [...outcome.hits, ...outcome.below].findIndex((hit) => hit.tool.id === id);
  if (index < 0) return {};
  return { rank: index + 1, ...(index < Math.min(limit, outcome.hits.length) ? { returned: true } : {}) };
}

function above(id: string, outcome: SearchOutcome | undefined): PlayRow['above'] {
  if (!outcome?.ok) return [];
  const hits = [...outcome.hits, ...outcome.below];
  const index = hits.findIndex((hit) => hit.tool.id === id);
  return hits.slice(0, index < 0 ? ABOVE : Math.min(index, ABOVE)).map((hit) => named(hit.tool));
}
