import type { Tool } from '../catalog/tool';
import { groupBy } from '../util/groupBy';
import { l10n } from '../util/l10n';
import { sameJson } from '../util/sameJson';
import { yieldToEventLoop } from '../util/yieldToEventLoop';
import { listedNames, NameTable } from './query/namesInQuery';
import { parseQuery } from './query/parseQuery';
import { type Accept, ALL, Bm25Index } from './rank/bm25Index';
import { cutHits, nearestTools, unknownServer, unknownStrategy } from './rank/orderHits';
import { chooseStrategy } from './strategies/auto';
import { RANKINGS, select } from './strategies/builtIn';
import { regex } from './strategies/regex';
import { type IndexView, type StrategyRequest, sorted, toolsAt } from './strategies/strategy';
import { squash } from './text/words';
import { BUILT_IN_STRATEGIES, isBuiltIn, type SearchError, type SearchOutcome, type SearchRequest } from './types';
import { countingForms, languagesOf, type WordsOf } from './words/searchWords';

/** The time in milliseconds after which an update lets other work run: half a frame. */
const SLICE_MS = 8;

/**
 * The searchable form of a catalog's tools. All built-in strategies run on it, synchronously. It is updated in place:
 * after any number of changes it gives the same answers as an index newly built from the same tools.
 */
export class ToolIndex implements IndexView {
  readonly ranking = new Bm25Index();
  readonly names = new NameTable<number>();
  private readonly servers = new Map<string, Map<string, number>>();
  /** The search words that each tool was indexed with. */
  private readonly words = new Map<string, readonly string[]>();
  private overtaking = 0;
  private following: Promise<void> = Promise.resolve();
  /** The number of searches in slices that haven't ended, the last of them, and the start of their present slice. */
  private searches = 0;
  private searched: Promise<unknown> = Promise.resolve();
  private sliceStart = 0;

  /** @param wordsOf returns a tool's search words; call {@link setTools} or {@link follow} again when these change */
  constructor(
    tools: readonly Tool[] = [],
    private readonly wordsOf: WordsOf = () => undefined,
  ) {
    this.setTools(tools);
  }

  /** The number of tools in the index. */
  get size(): number {
    return this.ranking.size;
  }

  slots(): number[] {
    return [...this.servers.values()].flatMap((slots) => [...slots.values()]);
  }

  /** Sets the tools of the index. Only changed tools take time. */
  setTools(tools: readonly Tool[]): void {
    this.overtaking++;
    for (const _ of this.changes(tools));
  }

  /**
   * Sets the tools in slices, between which other work runs. A later call replaces this one. Until {@link settled}
   * resolves, some tools can't be found yet.
   */
  follow(tools: readonly Tool[]): void {
    const turn = ++this.overtaking;
    const run = async () => {
      let since = performance.now();
      for (const _ of this.changes(tools)) {
        if (performance.now() - since < SLICE_MS) continue;
        await yieldToEventLoop();
        if (turn !== this.overtaking) return;
        since = performance.now();
      }
    };
    this.following = run();
  }

  /** Waits until the index contains the tools that {@link follow} got last. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.following) {
      seen = this.following;
      await seen;
    }
  }

  /** Sets the tools of the index step by step. The index is consistent after each step. */
  private *changes(tools: readonly Tool[]): Generator<void> {
    const byServer = groupBy(tools, ({ server }) => server);
    const words = countingForms(tools, this.wordsOf);
    this.ranking.languages = languagesOf(words.values());
    for (const server of [...this.servers.keys()]) if (!byServer.has(server)) yield* this.changesOf(server, [], words);
    for (const [server, list] of byServer) yield* this.changesOf(server, list, words);
    yield* this.ranking.findStuffed();
  }

  private *changesOf(
    server: string,
    tools: readonly Tool[],
    words: ReadonlyMap<string, readonly string[]>,
  ): Generator<void> {
    const slots = this.servers.get(server) ?? new Map<string, number>();
    this.servers.set(server, slots);
    const next = new Map(tools.map((tool) => [tool.id, tool]));
    for (const [id, slot] of [...slots]) {
      const old = this.ranking.toolAt(slot);
      const tool = next.get(id);
      if (tool && sameJson(tool, old) && sameJson(words.get(id), this.words.get(id))) {
        this.ranking.setTool(slot, tool);
        next.delete(id);
      } else {
        this.names.remove(old, slot);
        this.ranking.remove(slot);
        slots.delete(id);
        this.words.delete(id);
      }
      yield;
    }
    for (const [id, tool] of next) {
      const own = words.get(id);
      const slot = this.ranking.add(tool, own);
      if (own) this.words.set(id, own);
      this.names.add(tool, slot);
      slots.set(id, slot);
      yield;
    }
    if (slots.size === 0) this.servers.delete(server);
  }

  /** Searches with a built-in strategy or `auto`. Never throws: an invalid request leads to an error in the outcome. */
  search(request: SearchRequest): SearchOutcome {
    const steps = this.steps(request);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /**
   * Searches in slices, like {@link follow}, because a pattern over ten thousand tools takes a tenth of a second. Several
   * searches run one after another and share the slices, because a client can ask hundreds at once.
   */
  searchInSlices(request: SearchRequest): Promise<SearchOutcome> {
    if (this.searches++ === 0) this.sliceStart = performance.now();
    const outcome = this.searched.then(() => this.searchNext(request));
    this.searched = outcome.then(
      () => this.searches--,
      () => this.searches--,
    );
    return outcome;
  }

  private async searchNext(request: SearchRequest): Promise<SearchOutcome> {
    const steps = this.steps(request);
    for (;;) {
      if (performance.now() - this.sliceStart >= SLICE_MS) {
        await yieldToEventLoop();
        this.sliceStart = performance.now();
      }
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  private *steps(request: SearchRequest): Generator<void, SearchOutcome> {
    const started = performance.now();
    const parsed = parseQuery(request.query);
    let chosen = request.strategy === 'auto' ? chooseStrategy(request.query) : undefined;
    let strategy = chosen?.strategy ?? request.strategy;
    const refuse = (error: SearchError): SearchOutcome => ({
      ok: false,
      strategy,
      error,
      ms: performance.now() - started,
    });

    if (!isBuiltIn(strategy)) return refuse(unknownStrategy(strategy, ['auto', ...BUILT_IN_STRATEGIES]));
    if (strategy === 'regex' ? request.query.trim() === '' : parsed.words.length === 0) {
      return refuse({
        code: 'empty_query',
        message: 'The query has no words. Write a few words that say what the tool should do, such as "create issue".',
      });
    }
    const accept = this.accepting(request);
    if ('code' in accept) return refuse(accept);
    const asked: StrategyRequest = { request, query: parsed, accept };
    let found = parsed.select
      ? select(this, parsed.select, asked)
      : strategy === 'regex'
        ? yield* regex(this, asked)
        : RANKINGS[strategy](this, asked);
    if (chosen?.strategy === 'regex' && !parsed.select && 'hits' in found && found.hits.length === 0) {
      chosen = { strategy: 'bm25', why: l10n.t('The query reads as a regular expression that matches no tool.') };
      strategy = chosen.strategy;
      // Classes such as `\w` aren't words.
      found = RANKINGS.bm25(this, { ...asked, query: parseQuery(request.query.replace(/\\\p{L}/gu, ' ')) });
    }
    if ('code' in found) return refuse(found);

    const exists = (name: string) => this.names.find(name).some(accept);
    const listed = parsed.select ?? listedNames(parsed.text);
    // A list without a single tool name lists other things, such as files.
    const missing = parsed.select || listed.some(exists) ? listed.filter((name) => !exists(name)) : [];
    const helpless = found.hits.length === 0 || missing.length > 0;
    return {
      ok: true,
      strategy,
      ...(chosen ? { why: chosen.why } : {}),
      ...(missing.length > 0 ? { missing } : {}),
      ...cutHits(request, found.hits),
      ...(found.hint === undefined ? {} : { hint: found.hint }),
      ...(found.unknown?.length ? { unknown: found.unknown } : {}),
      matched: found.matched,
      searched: accept === ALL ? this.size : this.slots().filter(accept).length,
      nearest: helpless
        ? nearestTools(missing.join(' ') || parsed.text, toolsAt(this, this.slots().filter(accept)))
        : [],
      ms: performance.now() - started,
    };
  }

  /** Returns the tools that a request may find, or an error if it can't find any. */
  scope(request: SearchRequest): readonly Tool[] | SearchError {
    const accept = this.accepting(request);
    return 'code' in accept ? accept : toolsAt(this, sorted(this, this.slots().filter(accept)));
  }

  /** Returns the tools with this id, server's own name or name for models. Case and separators don't matter. */
  named(name: string): readonly Tool[] {
    return toolsAt(this, sorted(this, this.names.find(name)));
  }

  private accepting({ server, readOnly, candidates }: SearchRequest): Accept | SearchError {
    if (server === undefined && !readOnly && !candidates) return ALL;
    const wanted = squash(server ?? '');
    const servers = [...this.servers.keys()].filter(
      (name) => name === server || (wanted !== '' && squash(name) === wanted),
    );
    if (server !== undefined && servers.length === 0) return unknownServer(server, [...this.servers.keys()]);
    return (slot) => {
      const tool = this.ranking.toolAt(slot);
      if (readOnly && tool.annotations?.readOnlyHint !== true) return false;
      return (server === undefined || servers.includes(tool.server)) && (!candidates || candidates.has(tool.id));
    };
  }
}
