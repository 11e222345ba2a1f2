import type { Tool } from '../catalog/tool';
import { chooseStrategy } from './auto';
import { type Accept, ALL, Bm25Index } from './bm25';
import { NameTable } from './names';
import { BELOW, compareTools, cutHits, limitOf, nearestTools, unknownServer, unknownStrategy } from './outcome';
import { type ParsedQuery, parseQuery } from './query';
import { RELEVANT_TO_NAME } from './ranking';
import { compilePattern, matchTools } from './regex';
import { squash, wordsOf } from './text';
import {
  BUILT_IN_STRATEGIES,
  type BuiltInStrategy,
  type MatchType,
  type SearchError,
  type SearchHit,
  type SearchOutcome,
  type SearchRequest,
} from './types';

/** What a strategy found, best first and not yet cut. */
interface Found {
  readonly hits: readonly SearchHit[];
  readonly matched: number;
}

/** Milliseconds that an update works before it lets others go on: half a frame. */
const SLICE_MS = 8;

/**
 * The searchable form of a catalog's tools. All strategies that ship with the product run on it, synchronously. It is
 * updated in place: after any number of changes it answers exactly as one built anew from the same tools.
 */
export class ToolIndex {
  private readonly ranking = new Bm25Index();
  private readonly names = new NameTable<number>();
  private readonly toolAt = (slot: number): Tool => this.ranking.toolAt(slot);
  private readonly servers = new Map<string, Map<string, number>>();
  private count = 0;
  private overtaking = 0;
  private following: Promise<void> = Promise.resolve();

  constructor(tools: readonly Tool[] = []) {
    this.setTools(tools);
  }

  /** How many tools are in the index. */
  get size(): number {
    return this.count;
  }

  /** All tools, in no particular order. */
  tools(): Tool[] {
    return [...this.servers.values()].flatMap((slots) => [...slots.values()].map((slot) => this.ranking.toolAt(slot)));
  }

  /** Makes these the tools of the index. Only tools that changed cost time. */
  setTools(tools: readonly Tool[]): void {
    this.overtaking++;
    for (const _ of this.changes(tools));
  }

  /**
   * The same bit by bit: `breathe` lets others go on whenever {@link SLICE_MS} have passed, so that a catalog of megabytes
   * holds nobody up. A later call overtakes this one. Until {@link settled} some tools aren't found yet.
   */
  follow(tools: readonly Tool[], breathe: () => Promise<void>): void {
    const turn = ++this.overtaking;
    const run = async () => {
      let since = performance.now();
      for (const _ of this.changes(tools)) {
        if (performance.now() - since < SLICE_MS) continue;
        await breathe();
        if (turn !== this.overtaking) return;
        since = performance.now();
      }
    };
    this.following = run();
  }

  /** Waits until the index holds what {@link follow} was last given. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.following) {
      seen = this.following;
      await seen;
    }
  }

  /** Makes these the tools of one server; an empty list removes the server. */
  replaceServer(server: string, tools: readonly Tool[]): void {
    for (const _ of this.changesOf(server, tools));
  }

  /** All that makes these the tools of the index, in steps; the index is sound after each. */
  private *changes(tools: readonly Tool[]): Generator<void> {
    const byServer = new Map<string, Tool[]>();
    for (const tool of tools) {
      const list = byServer.get(tool.server);
      if (list) list.push(tool);
      else byServer.set(tool.server, [tool]);
    }
    for (const server of [...this.servers.keys()]) if (!byServer.has(server)) yield* this.changesOf(server, []);
    for (const [server, list] of byServer) yield* this.changesOf(server, list);
  }

  private *changesOf(server: string, tools: readonly Tool[]): Generator<void> {
    const slots = this.servers.get(server) ?? new Map<string, number>();
    this.servers.set(server, slots);
    const next = new Map(tools.map((tool) => [tool.id, tool]));
    for (const [id, slot] of [...slots]) {
      const old = this.ranking.toolAt(slot);
      const tool = next.get(id);
      if (tool && (tool === old || JSON.stringify(tool) === JSON.stringify(old))) {
        this.ranking.setTool(slot, tool);
        next.delete(id);
      } else {
        this.names.remove(old, slot);
        this.ranking.remove(slot);
        slots.delete(id);
        this.count--;
      }
      yield;
    }
    for (const [id, tool] of next) {
      const slot = this.ranking.add(tool);
      this.names.add(tool, slot);
      slots.set(id, slot);
      this.count++;
      yield;
    }
    if (slots.size === 0) this.servers.delete(server);
  }

  /** Answers with a built-in strategy, or `auto`. Never throws: what is wrong with the request is in the outcome. */
  search(request: SearchRequest): SearchOutcome {
    const started = performance.now();
    const parsed = parseQuery(request.query);
    const chosen = request.strategy === 'auto' ? chooseStrategy(request.query) : undefined;
    const strategy = chosen?.strategy ?? request.strategy;
    const refuse = (error: SearchError): SearchOutcome => ({ ok: false, strategy, error, ms: performance.now() - started });

    if (!isBuiltIn(strategy)) return refuse(unknownStrategy(strategy, ['auto', ...BUILT_IN_STRATEGIES]));
    if (strategy === 'regex' ? request.query.trim() === '' : parsed.text.trim() === '' || wordsOf(parsed.text).length === 0) {
      return refuse({
        code: 'empty_query',
        message: 'The query has no words. Write a few words that say what the tool should do, such as "create issue".',
      });
    }
    const accept = this.accepting(request);
    if ('code' in accept) return refuse(accept);
    const found = this.run(strategy, request, parsed, accept);
    if ('code' in found) return refuse(found);

    const missing = parsed.select?.filter((name) => ![...this.names.find(name)].some(accept)) ?? [];
    const helpless = found.hits.length === 0 || missing.length > 0;
    return {
      ok: true,
      strategy,
      ...(chosen ? { why: chosen.why } : {}),
      ...(missing.length > 0 ? { missing } : {}),
      ...cutHits(request, found.hits),
      matched: found.matched,
      searched: request.server === undefined && !request.candidates ? this.count : this.slots().filter(accept).length,
      nearest: helpless ? nearestTools(missing.join(' ') || parsed.text, this.slots().filter(accept).map(this.toolAt)) : [],
      ms: performance.now() - started,
    };
  }

  /** The tools that a request may find, or why it can find none. */
  scope(request: SearchRequest): readonly Tool[] | SearchError {
    const accept = this.accepting(request);
    return 'code' in accept ? accept : this.sorted(this.slots().filter(accept)).map(this.toolAt);
  }

  /** The tools of this name: an id, a server's own name for it or the one that models see, whatever its case and separators. */
  named(name: string): readonly Tool[] {
    return this.sorted([...this.names.find(name)]).map(this.toolAt);
  }

  private accepting({ server, candidates }: SearchRequest): Accept | SearchError {
    if (server === undefined && !candidates) return ALL;
    const wanted = squash(server ?? '');
    const servers = [...this.servers.keys()].filter((name) => name === server || (wanted !== '' && squash(name) === wanted));
    if (server !== undefined && servers.length === 0) return unknownServer(server, [...this.servers.keys()]);
    return (slot) => {
      const tool = this.ranking.toolAt(slot);
      return (server === undefined || servers.includes(tool.server)) && (!candidates || candidates.has(tool.id));
    };
  }

  private run(strategy: BuiltInStrategy, request: SearchRequest, parsed: ParsedQuery, accept: Accept): Found | SearchError {
    if (parsed.select) return this.select(parsed.select, accept);
    switch (strategy) {
      case 'bm25':
        return this.bm25(request, parsed, accept);
      case 'keywords':
        return this.keywords(parsed, accept);
      case 'regex':
        return this.regex(request, accept);
      case 'exact':
        return this.exact(parsed, accept);
    }
  }

  private select(names: readonly string[], accept: Accept): Found {
    const slots = new Set(names.flatMap((name) => this.sorted([...this.names.find(name)].filter(accept))));
    return this.listed([...slots], 'select');
  }

  private exact(parsed: ParsedQuery, accept: Accept): Found {
    const slots = new Set([...this.sorted([...this.names.find(parsed.text)]), ...this.mentioned(parsed.text).flat()]);
    return this.listed([...slots].filter(accept), 'exact');
  }

  private bm25(request: SearchRequest, parsed: ParsedQuery, accept: Accept): Found {
    const terms = this.ranking.read(parsed.text);
    const passes = this.withMust(parsed, accept);
    const groups = this.mentioned(parsed.text).map((group) => group.filter(passes));
    const names = groups.flat();
    const room = limitOf(request) + BELOW;
    const { discovered } = request;
    const { ranked, matched } = this.ranking.rank(terms, passes, {
      size: room + names.length,
      named: new Set(names),
      explain: request.explain,
      later: discovered?.size ? (slot) => discovered.has(this.ranking.toolAt(slot).id) : undefined,
    });
    const bySlot = new Map(ranked.map((one) => [one.slot, one]));
    const scoreOf = (slot: number) => bySlot.get(slot)?.score ?? 0;
    const top = ranked.reduce((best, { score }) => Math.max(best, score), 0);
    // Of tools with one name, the one that fits the rest of the query comes first.
    const named = groups.flatMap((group) => group.sort((a, b) => scoreOf(b) - scoreOf(a)));
    const whole = this.names.find(parsed.text);
    const least = named.some((slot) => whole.has(slot)) ? RELEVANT_TO_NAME * top : 0;
    const others = ranked.filter(({ slot, score }) => !named.includes(slot) && score >= least);
    const hit = (slot: number, head: number, matchType: MatchType): SearchHit => {
      const { words = [], parts } = bySlot.get(slot) ?? {};
      const tool = this.ranking.toolAt(slot);
      return { tool, score: head + scoreOf(slot), matchType, terms: words, ...(parts ? { parts: { ...parts, named: head } } : {}) };
    };
    return {
      hits: [...named.map((slot) => hit(slot, top, 'exact_name')), ...others.slice(0, room).map(({ slot }) => hit(slot, 0, 'bm25'))],
      matched: Math.max(matched, named.length + others.length),
    };
  }

  private keywords(parsed: ParsedQuery, accept: Accept): Found {
    const terms = this.ranking.read(parsed.text);
    const passes = this.withMust(parsed, accept);
    const named = this.mentioned(parsed.text).flat().filter(passes);
    const overlaps = this.ranking.overlap(terms, passes);
    const wordsIn = (slot: number) => overlaps.get(slot) ?? [];
    const rest = [...overlaps.keys()].filter((slot) => !named.includes(slot));
    const byOverlap = this.sorted(rest).sort((a, b) => wordsIn(b).length - wordsIn(a).length);
    const hit = (slot: number, matchType: MatchType): SearchHit => ({
      tool: this.ranking.toolAt(slot),
      score: wordsIn(slot).length,
      matchType,
      terms: wordsIn(slot),
    });
    const hits = [...named.map((slot) => hit(slot, 'exact_name')), ...byOverlap.map((slot) => hit(slot, 'keywords'))];
    return { hits, matched: hits.length };
  }

  private regex(request: SearchRequest, accept: Accept): Found | SearchError {
    const pattern = compilePattern(request.query);
    if (!pattern.ok) return pattern.error;
    const slots = this.sorted(this.slots().filter(accept));
    const tools = slots.map((slot) => this.ranking.toolAt(slot));
    const matches = matchTools(pattern.matches, tools);
    if ('code' in matches) return matches;
    const named = new Set(this.mentioned(request.query).flat());
    const hits = [...matches]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .map(
        ([i, score]): SearchHit => ({
          tool: tools[i] as Tool,
          score,
          matchType: named.has(slots[i] as number) ? 'exact_name' : 'regex',
          terms: [],
        }),
      );
    return { hits, matched: hits.length };
  }

  /** Tools that the text names: a group for each name, in the order of their ids. */
  private mentioned(text: string): number[][] {
    return this.names.mentioned(text, (word, slots) => this.ranking.isOnlyIn(word, slots)).map((group) => this.sorted(group));
  }

  private listed(slots: readonly number[], matchType: MatchType): Found {
    const hits = slots.map((slot): SearchHit => ({ tool: this.ranking.toolAt(slot), score: 1, matchType, terms: [] }));
    return { hits, matched: hits.length };
  }

  private withMust({ must }: ParsedQuery, accept: Accept): Accept {
    if (must.length === 0) return accept;
    const contains = must.map((word) => this.ranking.containing(word));
    return (slot) => accept(slot) && contains.every((has) => has(slot));
  }

  private slots(): number[] {
    return [...this.servers.values()].flatMap((slots) => [...slots.values()]);
  }

  private sorted(slots: number[]): number[] {
    return slots.sort((a, b) => compareTools(this.ranking.toolAt(a), this.ranking.toolAt(b)));
  }
}

function isBuiltIn(strategy: string): strategy is BuiltInStrategy {
  return (BUILT_IN_STRATEGIES as readonly string[]).includes(strategy);
}
