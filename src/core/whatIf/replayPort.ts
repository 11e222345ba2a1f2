/**
 * The replacement for the model in a replay. It sends nothing: it makes the recorded searches and calls as far as the
 * request allows, and reports the usage that the provider would have reported.
 */
import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { ToolDefinition } from '../catalog/tool';
import { joinedTools } from '../conversation/joinedTools';
import {
  type ModelEvent,
  type ModelInfo,
  type ModelPort,
  type ModelRequest,
  NAMESPACE_SIZE,
  type ProviderSearch,
  type Usage,
} from '../ports';
import type { SearchPort } from '../search/types';
import { definitionsLength } from '../usage/tokens';
import { onlySearched } from '../usage/twin';
import { equalParts } from '../util/equalParts';
import { groupBy } from '../util/groupBy';
import { asObject } from '../util/objects';
import { foundIn } from './inTranscript';
import type { RecordedCall, RecordedSearch, Step } from './recordedTurns';
import { hasSearch, Spending, type SpendingDeps, type Spent } from './spending';

/** The number of tools that a provider's own search returns. */
const PROVIDER_LIMIT = 5;
/**
 * The number of best hits from which GPT's search goes on to whole namespaces: it returns all tools of the namespaces
 * that contain these hits.
 */
const OPENED = 3;
/** The assumed share of a reply that led to one of the provider's own searches. */
const SEARCH_SHARE = 0.3;
/** The number of tools whose definitions are measured to get the usual length of a definition. */
const COMPARED = 200;
/** The characters of a call on the wire in addition to its input. */
const CALL_CHARS = 110;

export class ReplayPort implements ModelPort {
  readonly info: ModelInfo;
  readonly #deps: SpendingDeps;
  readonly #search: SearchPort;
  readonly #maxResults: number;
  readonly #spending: Spending;
  #next = 0;
  /** Whether the searches of the next step were already made. */
  #searched = false;
  /** Names of the tools that were searched for by name. */
  readonly #sought = new Set<string>();
  /** The called tools that the recorded queries didn't find. */
  readonly missed = new Set<string>();
  #calls = 0;

  /** @param maxResults the number of results if the model sets no limit */
  constructor(deps: SpendingDeps, search: SearchPort, maxResults: number) {
    this.#deps = deps;
    this.#search = search;
    this.#maxResults = maxResults;
    this.info = deps.info;
    this.#spending = new Spending(deps);
  }

  get spent(): Spent {
    return this.#spending.spent;
  }

  async countTokens(text: string): Promise<number> {
    return this.tokens(text.length);
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const first = this.#step ?? this.#deps.turn.steps.at(-1);
    const replied = await this.#reply(request, signal);
    const before = this.spent.tokens;
    if (first) this.#spending.add(request, first, replied.searches);
    if (this.#isRecalled(replied.calls)) this.#spending.noteRecall(this.spent.tokens - before);
    for (const search of replied.searches) yield { type: 'search', search };
    const calls = replied.calls.map(({ thinking, ...call }) => {
      const callId = this.#newId();
      if (thinking) this.#spending.noteThinking(callId, request, thinking);
      if (thinking !== undefined && this.#hidesQueries) this.#spending.noteUnsure(callId, this.#usualResult);
      return { callId, ...call };
    });
    // A reply that only searches has no text; its thinking is recorded above. Any other reply gets a text of about its
    // recorded length.
    if (!onlySearched(calls))
      yield { type: 'text', text: 'x'.repeat(Math.max(1, Math.round((first?.outputTokens ?? 0) * 3))) };
    for (const call of calls) yield { type: 'call', ...call };
    yield { type: 'usage', usage: this.#usage };
  }

  /** Only roughly filled in, since the replay's own events are never shown. */
  get #usage(): Usage {
    return { inputTokens: Math.max(1, this.spent.tokens), outputTokens: 1 };
  }

  /**
   * Whether the recorded queries are only the namespaces that GPT opened. The text that it searched for isn't known
   * then.
   */
  get #hidesQueries(): boolean {
    return this.#deps.turn.delivery === 'server' && this.info.native?.describesServers === true;
  }

  /** The characters of the definitions that a search usually finds. */
  get #usualResult(): number {
    const { tools } = this.#deps.catalog;
    return (OPENED * definitionsLength(tools.slice(0, COMPARED))) / Math.max(1, Math.min(COMPARED, tools.length));
  }

  #newId(): string {
    return `replayed-${this.#deps.turn.turn}-${++this.#calls}`;
  }

  get #step(): Step | undefined {
    return this.#deps.turn.steps[this.#next];
  }

  tokens(chars: number): number {
    return this.#spending.tokens(chars);
  }

  /** Makes the recorded calls, step by step, until one of them needs an answer. */
  async #reply(request: ModelRequest, signal: AbortSignal): Promise<ReplayReply> {
    const searches: ProviderSearch[] = [];
    const found = foundIn(request.transcript);
    for (let step = this.#step; step; step = this.#step) {
      const needed = this.#searched ? [] : step.searches.filter((search) => this.#isNeeded(search, request, found));
      const made = step.calls.filter((call) => isOffered(call, request));
      const lost = made.filter(({ tool }) => !this.#sought.has(tool) && !this.#isCallable(tool, request, found));
      if (request.delivery === 'server' && request.deferred.length > 0) {
        for (const search of needed) await this.#searchAtProvider(search, request, { searches, found }, signal);
        for (const { tool } of made)
          if (!this.#sought.has(tool) && !this.#isCallable(tool, request, found))
            await this.#searchAtProvider({ queries: [this.#seek(tool)] }, request, { searches, found }, signal);
      } else if (needed.length > 0) {
        // If all called tools are available, the calls are made together with the search. Otherwise they wait for its
        // result.
        const now = lost.length === 0 ? made : [];
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
      if (made.length > 0) return { searches, calls: this.#made(made, request) };
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

  /**
   * Whether `call_tool` calls a tool that only an earlier turn found, although the recorded request contained the
   * tool's definition.
   */
  #isRecalled(calls: readonly Call[]): boolean {
    const { turn, catalog } = this.#deps;
    const found = new Set(turn.steps.flatMap(({ searches }) => searches.flatMap(({ hits }) => [...hits])));
    const isEarlier = (name: unknown) => !found.has(catalog.byModelName.get(String(name))?.id ?? '');
    return (
      turn.delivery !== 'bridge' &&
      calls.some(({ name, input }) => name === CALL_TOOL && isEarlier(asObject(input)?.name))
    );
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
    const own = limit === this.#maxResults ? {} : { limit };
    const input = { queries, ...(server === undefined ? {} : { server }), ...own };
    // The tokens of the reply that belong to its searches. A reply that only searches stays in the conversation as a
    // whole, with its thinking. If the provider searched in the middle of the recorded reply, a share of that reply is
    // assumed.
    const share = this.#deps.turn.delivery === 'server' ? SEARCH_SHARE : calls.length === 0 ? 1 : 0;
    const inputs = [...calls.map((call) => call.input), ...searches.map(() => input)];
    const written = inputs.reduce<number>((sum, each) => sum + CALL_CHARS + (JSON.stringify(each)?.length ?? 0), 0);
    const thinking = (share * Math.max(0, outputTokens - this.tokens(written))) / searches.length;
    return { name: SEARCH_TOOLS, input, thinking };
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
    { queries, hits }: Pick<RecordedSearch, 'queries'> & Partial<Pick<RecordedSearch, 'hits'>>,
    request: ModelRequest,
    { searches, found }: { readonly searches: ProviderSearch[]; readonly found: Set<string> },
    signal: AbortSignal,
  ): Promise<void> {
    const { turn, catalog, info } = this.#deps;
    const candidates = new Set(request.deferred.map(({ id }) => id));
    let ids: readonly string[] = [...(hits ?? [])].filter((id) => candidates.has(id));
    if (turn.delivery !== 'server' || !hits) {
      const strategy = request.strategy === 'regex' ? 'regex' : 'bm25';
      const limit = info.native?.describesServers ? OPENED : PROVIDER_LIMIT;
      const outcome = await this.#search.search({ query: queries.join(' '), strategy, limit, candidates }, signal);
      const best = outcome.ok ? outcome.hits.map(({ tool }) => tool.id) : [];
      ids = info.native?.describesServers ? withNamespaces(best, request.deferred) : best;
    }
    for (const id of ids) found.add(id);
    const tools = ids.flatMap((id) => catalog.byId.get(id) ?? []);
    const callId = this.#newId();
    if (turn.delivery !== 'server' || !hits) {
      this.#spending.noteUnsure(callId, Math.max(this.#usualResult, definitionsLength(tools)));
    }
    searches.push({ callId, queries, strategy: request.strategy, found: tools.map(({ modelName }) => modelName) });
  }
}

interface Call {
  readonly name: string;
  readonly input: unknown;
  /** The tokens of a search's reply in addition to its call. */
  readonly thinking?: number;
}

interface ReplayReply {
  readonly searches: readonly ProviderSearch[];
  readonly calls: readonly Call[];
}

/** The search tools, which a recorded request may have listed although no tool was deferred. */
const OWN_SEARCH = [SEARCH_TOOLS, CALL_TOOL, DESCRIBE_TOOL] as const;

/** Whether a request has a called tool if it is one of the search tools. */
function isOffered({ tool }: RecordedCall, { tools, transcript }: ModelRequest): boolean {
  return (
    !OWN_SEARCH.some((name) => name === tool) ||
    [...tools, ...joinedTools(transcript)].some(({ name }) => name === tool)
  );
}

/** Returns all tools of the namespaces that contain these tools. */
function withNamespaces(ids: readonly string[], deferred: readonly ToolDefinition[]): readonly string[] {
  const spaces = [...groupBy(deferred, ({ server }) => server).values()].flatMap((tools) =>
    equalParts(tools, NAMESPACE_SIZE),
  );
  const opened = spaces.filter((tools) => tools.some(({ id }) => ids.includes(id)));
  return opened.flatMap((tools) => tools.map(({ id }) => id));
}
