/**
 * The replacement for the model in a replay. It sends nothing: it makes the recorded searches and calls as far as the
 * request allows, and reports the usage that the provider would have reported.
 */
import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { ToolDefinition } from '../catalog/tool';
import { joinedTools } from '../conversation/joinedTools';
import {
  isNative,
  type ModelEvent,
  type ModelInfo,
  type ModelPort,
  type ModelRequest,
  NAMESPACE_SIZE,
  type ProviderSearch,
  type Usage,
} from '../ports';
import type { SearchPort } from '../search/types';
import { inputCost } from '../usage/cacheCost';
import { cacheable, cacheRules } from '../usage/cacheRules';
import type { PromptCaches } from '../usage/promptCache';
import { charsOf, type Segment, segmentsOf } from '../usage/requestShape';
import { equalParts } from '../util/equalParts';
import { groupBy } from '../util/groupBy';
import type { Calibration } from './calibration';
import { foundIn, searchesIn } from './inTranscript';
import type { RecordedCall, RecordedSearch, RecordedTurn, Step } from './recordedTurns';

/** The number of tools that a provider's own search returns. */
const PROVIDER_LIMIT = 5;
/** The number of best tools whose namespaces GPT opens. */
const OPENED = 3;
/** The assumed share of a reply that led to one of the provider's own searches. */
const SEARCH_SHARE = 0.3;
/** The characters of a namespace in addition to its tools' names. */
const NAMESPACE_CHARS = 85;

interface ReplayPortDeps {
  readonly turn: RecordedTurn;
  readonly info: ModelInfo;
  readonly catalog: Catalog;
  readonly search: SearchPort;
  readonly caches: PromptCaches;
  /** The tokens of searches, by the id of the call. Later turns of the conversation need them too. */
  readonly searchTokens: Map<string, number>;
  /** Converts texts into tokens, by the figures of recorded turns and earlier replays. */
  readonly calibration: Calibration;
  /** The number of results if the model sets no limit. */
  readonly maxResults: number;
}

/** The sums over the requests of a replayed turn. `cost` is absent if the model's cache isn't known. */
export interface Spent {
  readonly requests: number;
  readonly tokens: number;
  readonly cost?: number;
}

export class ReplayPort implements ModelPort {
  readonly info: ModelInfo;
  readonly #deps: ReplayPortDeps;
  #spent: Spent;
  #next = 0;
  /** Whether the searches of the next step were already made. */
  #searched = false;
  /** Names of the tools that were searched for by name. */
  readonly #sought = new Set<string>();
  /** The called tools that the recorded queries didn't find. */
  readonly missed = new Set<string>();
  /** Whether the provider searched although it didn't in the recorded turn. */
  rough = false;
  #calls = 0;
  readonly #charsPerToken: number;

  constructor(deps: ReplayPortDeps) {
    this.#deps = deps;
    this.info = deps.info;
    this.#charsPerToken = deps.calibration.charsPerToken(deps.turn);
    this.#spent = { requests: 0, tokens: 0, ...(cacheRules(deps.info) ? { cost: 0 } : {}) };
  }

  get spent(): Spent {
    return this.#spent;
  }

  async countTokens(text: string): Promise<number> {
    return this.tokens(text.length);
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const first = this.#step ?? this.#deps.turn.steps.at(-1);
    const replied = await this.#reply(request, signal);
    if (first) this.#spend(request, first, replied.searches);
    for (const search of replied.searches) yield { type: 'search', search };
    yield { type: 'text', text: 'x'.repeat(Math.max(1, Math.round((first?.outputTokens ?? 0) * 3))) };
    for (const { tokens, ...call } of replied.calls) {
      const callId = this.#newId();
      if (tokens !== undefined) this.#deps.searchTokens.set(callId, tokens);
      yield { type: 'call', callId, ...call };
    }
    yield { type: 'usage', usage: this.#usage };
  }

  /** Only roughly filled in, since the replay's own events are never shown. */
  get #usage(): Usage {
    return { inputTokens: Math.max(1, this.#spent.tokens), outputTokens: 1 };
  }

  #newId(): string {
    return `replayed-${this.#deps.turn.turn}-${++this.#calls}`;
  }

  get #step(): Step | undefined {
    return this.#deps.turn.steps[this.#next];
  }

  tokens(chars: number): number {
    return Math.ceil(chars / this.#charsPerToken);
  }

  /** Makes the recorded calls, step by step, until one of them needs an answer. */
  async #reply(request: ModelRequest, signal: AbortSignal): Promise<Reply> {
    const searches: ProviderSearch[] = [];
    const found = foundIn(request.transcript);
    for (let step = this.#step; step; step = this.#step) {
      const needed = this.#searched ? [] : step.searches.filter((search) => this.#isNeeded(search, request, found));
      const lost = step.calls.filter(({ tool }) => !this.#sought.has(tool) && !this.#isCallable(tool, request, found));
      if (request.delivery === 'server' && request.deferred.length > 0) {
        for (const search of needed)
          await this.#searchAtProvider(search.queries, request, searches, found, signal, search.hits);
        for (const { tool } of step.calls)
          if (!this.#sought.has(tool) && !this.#isCallable(tool, request, found))
            await this.#searchAtProvider([this.#seek(tool)], request, searches, found, signal);
      } else if (needed.length > 0) {
        // If all called tools are available, the calls are made together with the search. Otherwise they wait for its
        // result.
        const now = lost.length === 0 ? step.calls : [];
        this.#searched = lost.length > 0;
        if (!this.#searched) this.#next++;
        const asked = needed.map((search) => this.#searchCall(search, step));
        return { searches, calls: [...asked, ...this.#made(now, request)] };
      } else if (lost.length > 0 && hasSearch(request)) {
        this.#searched = true;
        const queries = lost.map(({ tool }) => this.#seek(tool));
        return { searches, calls: [{ name: SEARCH_TOOLS, input: { queries: queries.slice(0, 5) } }] };
      }
      this.#searched = false;
      this.#next++;
      if (step.calls.length > 0) return { searches, calls: this.#made(step.calls, request) };
    }
    return { searches, calls: [] };
  }

  /**
   * Whether the model would make this search again. It would, unless its request already has the tools that it found
   * and called.
   */
  #isNeeded({ hits, fresh }: RecordedSearch, request: ModelRequest, found: ReadonlySet<string>): boolean {
    if (!hasSearch(request)) return false;
    const { steps } = this.#deps.turn;
    const used = steps
      .slice(this.#next)
      .flatMap(({ calls }) => calls.map(({ tool }) => tool))
      .filter((tool) => hits.has(tool));
    // A model doesn't search for a tool in its request. With delivery `bridge`, however, the recorded search may have
    // been a repeated lookup of a known tool.
    const isListed = this.#deps.turn.delivery === 'bridge' && request.delivery !== 'bridge';
    const isSpared = (tool: string) =>
      this.#isCallable(tool, request, found) && (fresh.has(tool) || isListed || !found.has(tool));
    return used.length === 0 || !used.every(isSpared);
  }

  #isCallable(id: string, request: ModelRequest, found: ReadonlySet<string>): boolean {
    const tool = this.#deps.catalog.byId.get(id);
    // True for our own tools, and for names that no tool has.
    if (!tool) return true;
    if (found.has(id) && request.delivery !== 'local') return true;
    return [...request.tools, ...joinedTools(request.transcript)].some(({ name }) => name === tool.modelName);
  }

  /** Searches for a tool by name, because the recorded queries don't find it or there are none. */
  #seek(id: string): string {
    this.#sought.add(id);
    this.missed.add(id);
    return this.#deps.catalog.byId.get(id)?.name ?? id;
  }

  #searchCall({ queries, server, limit }: RecordedSearch, { searches, calls, outputTokens }: Step): Call {
    const own = limit === this.#deps.maxResults ? {} : { limit };
    const input = { queries, ...(server === undefined ? {} : { server }), ...own };
    // If a reply only searches, all of it stays in the conversation, with its thinking. If the provider searched in the
    // middle of a reply, a part of that reply would have been a separate one.
    const share = this.#deps.turn.delivery === 'server' ? SEARCH_SHARE : calls.length === 0 ? 1 : 0;
    const written = calls.reduce((sum, { input }) => sum + (JSON.stringify(input)?.length ?? 0), 0);
    const tokens = (share * Math.max(0, outputTokens - this.tokens(written))) / searches.length;
    return { name: SEARCH_TOOLS, input, ...(tokens > 0 ? { tokens } : {}) };
  }

  #made(calls: readonly RecordedCall[], request: ModelRequest): readonly Call[] {
    const listed = new Set(request.tools.map(({ name }) => name));
    return calls.map(({ tool, input }) => {
      const name = this.#deps.catalog.byId.get(tool)?.modelName ?? tool;
      return request.delivery === 'bridge' && tool !== RUN_CODE && !listed.has(name)
        ? { name: CALL_TOOL, input: { name, arguments: input } }
        : { name, input };
    });
  }

  /** Searches as the provider does, or returns the recorded result of its search. */
  async #searchAtProvider(
    queries: readonly string[],
    request: ModelRequest,
    searches: ProviderSearch[],
    found: Set<string>,
    signal: AbortSignal,
    hits?: ReadonlySet<string>,
  ): Promise<void> {
    const { turn, search, catalog, info } = this.#deps;
    this.rough ||= turn.delivery !== 'server';
    const candidates = new Set(request.deferred.map(({ id }) => id));
    let ids: readonly string[] = [...(hits ?? [])].filter((id) => candidates.has(id));
    if (turn.delivery !== 'server' || !hits) {
      const strategy = request.strategy === 'regex' ? 'regex' : 'bm25';
      const limit = info.native?.describesServers ? OPENED : PROVIDER_LIMIT;
      const outcome = await search.search({ query: queries.join(' '), strategy, limit, candidates }, signal);
      const best = outcome.ok ? outcome.hits.map(({ tool }) => tool.id) : [];
      ids = info.native?.describesServers ? withNamespaces(best, request.deferred) : best;
    }
    for (const id of ids) found.add(id);
    const names = ids.flatMap((id) => catalog.byId.get(id)?.modelName ?? []);
    searches.push({ callId: this.#newId(), queries, strategy: request.strategy, found: names });
  }

  /** Adds a request's tokens and cost. Each search by the provider adds another reading of the request. */
  #spend(request: ModelRequest, step: Step, searches: readonly ProviderSearch[]): void {
    const { caches, catalog, calibration, searchTokens } = this.#deps;
    const segments = segmentsWithJoined(request);
    const listed = new Set(request.tools.map(({ id }) => id));
    const deferred = new Map(request.deferred.map((tool) => [tool.id, tool]));
    const known = isNative(request.delivery) ? [...foundIn(request.transcript)].filter((id) => !listed.has(id)) : [];
    const definitions = (ids: readonly string[]) =>
      this.tokens(definitionChars(ids.flatMap((id) => deferred.get(id) ?? [])));
    const isTool = (own: boolean) => segments.filter((segment) => segment.kind === 'tool' && segment.own === own);
    const joined = joinedTools(request.transcript);
    // A tool that was found before and then joined is counted once.
    const late = joined.filter(({ id }) => !known.includes(id));
    const theirs = (tools: readonly ToolDefinition[]) => tools.filter(({ server }) => server !== '');
    const eager = this.tokens(charsOf(isTool(false)) + definitionChars(theirs(late)));
    const ours = late.filter(({ server }) => server === '');
    const asked = searchesIn(request.transcript, isNative(request.delivery), searchTokens);
    const fixed = charsOf(isTool(true)) + definitionChars(ours) + request.system.length + namespaceChars(request);
    const overhead = this.tokens(fixed + asked.chars) + Math.round(asked.tokens);
    const learned = calibration.of(request);
    const offers = hasSearch(request) ? 1 : 0;
    const added = Math.round(learned.offer * offers + learned.asked * asked.count);
    const total = Math.max(0, step.prompt + eager + definitions(known) + overhead + added);
    const rules = cacheRules(this.info);
    const tools = Math.min(total, this.tokens(charsOf(segments.filter(({ kind }) => kind === 'tool'))));
    const model = `${this.info.vendor}/${this.info.id}`;
    const used = rules && caches.use({ model, segments, tokens: { tools, total }, at: step.at }, rules);
    let read = used?.read ?? 0;
    let reading = total;
    let all = total;
    for (const { found } of searches) {
      if (rules) read += cacheable(reading, rules);
      const ids = found.flatMap((name) => catalog.byModelName.get(name)?.id ?? []);
      reading += definitions(ids.filter((id) => !known.includes(id))) + Math.round(learned.made);
      all += reading;
    }
    // A provider that searches reads the request once more after each search, including the tools found so far.
    const made = searches.length / 2;
    const missing =
      searches.length === 0
        ? step.overhead - overhead
        : (step.sent - all) / (searches.length + 1) + added + Math.round(learned.made) * made;
    calibration.note(request, { offers, asked: asked.count, made, missing });
    const cost = rules && used ? inputCost(all, { read, write: used.write }, rules) : undefined;
    this.#spent = {
      requests: this.#spent.requests + 1,
      tokens: this.#spent.tokens + all,
      ...(cost === undefined ? {} : { cost: (this.#spent.cost ?? 0) + cost }),
    };
  }
}

interface Call {
  readonly name: string;
  readonly input: unknown;
  /** The tokens of the reply that contained the search, if they were recorded. */
  readonly tokens?: number;
}

interface Reply {
  readonly searches: readonly ProviderSearch[];
  readonly calls: readonly Call[];
}

function hasSearch({ tools, delivery, deferred }: ModelRequest): boolean {
  return delivery === 'server' ? deferred.length > 0 : tools.some(({ name }) => name === SEARCH_TOOLS);
}

function definitionChars(tools: readonly ToolDefinition[]): number {
  return charsOf(segmentsOf({ tools, system: '', transcript: [] }));
}

/** Returns a request's segments. A tool that joined later appears at the place where it joined. */
function segmentsWithJoined(request: ModelRequest): readonly Segment[] {
  const segments = segmentsOf(request);
  const first = segments.length - request.transcript.length;
  return segments.map((segment, index) => {
    const item = request.transcript[index - first];
    const joined = item ? joinedTools([item]) : [];
    return joined.length === 0 ? segment : { ...segment, chars: segment.chars + definitionChars(joined) };
  });
}

/** Returns the number of characters of the namespaces' descriptions, in which GPT reads the names of deferred tools. */
function namespaceChars({ opened = {} }: ModelRequest): number {
  return Object.values(opened)
    .flatMap((tools) => equalParts(tools, NAMESPACE_SIZE))
    .reduce((sum, names) => sum + NAMESPACE_CHARS + names.join(', ').length, 0);
}

/** Returns all tools of the namespaces that contain these tools. */
function withNamespaces(ids: readonly string[], deferred: readonly ToolDefinition[]): readonly string[] {
  const spaces = [...groupBy(deferred, ({ server }) => server).values()].flatMap((tools) =>
    equalParts(tools, NAMESPACE_SIZE),
  );
  const opened = spaces.filter((tools) => tools.some(({ id }) => ids.includes(id)));
  return opened.flatMap((tools) => tools.map(({ id }) => id));
}
