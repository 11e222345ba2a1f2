import { definitionsLength, priceRequest, priceTools, type RequestParts } from './accounting';
import { roundTokens } from './arithmetic';
import { answerCalls, type CallContext } from './calls';
import type { Catalog } from './catalog';
import { type Choice, chooseDelivery, chooseStrategy, type Delivery, OWN_TOOLS } from './delivery';
import { discoveredIds } from './discovery';
import type { Ledger, LedgerEntry, TurnStatus } from './ledger';
import { type LoadingPlan, planLoading } from './loading';
import {
  ModelError,
  type ModelPort,
  type ModelRequest,
  type ProviderSearch,
  type SearchPort,
  type ToolRunner,
  type ToolSource,
} from './ports';
import { recordProviderSearch } from './recordSearch';
import { assistantItem, collectReply, type Reply } from './reply';
import type { RenderResult } from './resultRenderer';
import { guidanceText, ownDefinitions } from './searchTools';
import type { Pins, Settings } from './settings';
import { definitionOf, type TokenMeter } from './tokens';
import type { Tool } from './tool';
import { newestTurns, type ToolCall, type ToolResult, type Transcript, type TranscriptItem, withoutImages } from './transcript';

/** What a turn uses of the world; the same for every turn of a session. */
export interface TurnWorld {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  readonly meter: TokenMeter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Words a search's answer in place of its JSON; undefined keeps the JSON. Never rejects. */
  readonly renderResult?: RenderResult;
}

/** One request of the user. */
export interface TurnRequest {
  readonly prompt: string;
  /** The conversation before it. */
  readonly history: Transcript;
  /** Ids of the `#tool`s of the prompt. */
  readonly references: ReadonlySet<string>;
  readonly port: ModelPort;
  readonly runner: ToolRunner;
  readonly settings: Settings;
  readonly pins: Pins;
}

/** Hears a turn as it happens, to show it. */
export interface TurnSink {
  text(delta: string): void;
  searching(queries: readonly string[]): void;
  found(tools: readonly Tool[]): void;
  calling(tool: Tool): void;
  /** Something that the user should know and that isn't part of the answer. */
  warning(message: string): void;
}

export interface TurnOutcome {
  /** Its number in the ledger. */
  readonly turn: number;
  readonly status: TurnStatus;
  /** What this turn adds to the transcript, the user's prompt first; complete whatever happened, so that it can be continued. */
  readonly items: Transcript;
  /** All text that the model wrote. */
  readonly answer: string;
  /** Why it failed, for the user. */
  readonly message?: string;
}

/**
 * Runs a turn: plan → request → events → searches and calls answered → next round, until the model answers without a
 * call. Never rejects for what a model, a tool or the user can do; only for bugs.
 */
export async function runTurn(world: TurnWorld, request: TurnRequest, sink: TurnSink, signal: AbortSignal): Promise<TurnOutcome> {
  return new Turn(world, request, sink, signal).run();
}

/** The share of a model's window that earlier turns may take: the rest is for definitions, this turn's results and the answer. */
const HISTORY_SHARE = 0.5;
/** Characters a token, on the safe side for prose and code. */
const HISTORY_CHARS_PER_TOKEN = 3;

/** What is decided once, at a turn's start, so that the prefix of its requests stays the same. */
interface Setup {
  readonly plan: LoadingPlan;
  readonly strategy: Choice;
  readonly delivery: Delivery;
}

/** What a round works with: the setup over today's catalog. */
interface Round {
  readonly number: number;
  readonly catalog: Catalog;
  readonly deferred: readonly Tool[];
  readonly discovered: ReadonlySet<string>;
}

class Turn {
  readonly #world: TurnWorld;
  readonly #request: TurnRequest;
  readonly #sink: TurnSink;
  readonly #signal: AbortSignal;
  readonly #number: number;
  readonly #record: (entry: LedgerEntry) => void;
  readonly #startedAt: number;
  readonly #history: Transcript;
  readonly #items: TranscriptItem[];
  readonly #failures = new Map<string, number>();
  #answer = '';

  constructor(world: TurnWorld, request: TurnRequest, sink: TurnSink, signal: AbortSignal) {
    this.#world = world;
    this.#request = request;
    this.#sink = sink;
    this.#signal = signal;
    this.#startedAt = world.now();
    const { turn, record } = world.ledger.startTurn(world.now);
    this.#number = turn;
    this.#record = record;
    const window = request.port.info.maxInputTokens || Number.POSITIVE_INFINITY;
    this.#history = newestTurns(request.history, window * HISTORY_SHARE * HISTORY_CHARS_PER_TOKEN);
    this.#items = [{ kind: 'user', text: request.prompt }];
  }

  async run(): Promise<TurnOutcome> {
    try {
      let setup = this.#start();
      if (typeof setup === 'string') return this.#end('failed', setup);
      let replanned = false;
      // Each round that doesn't end the turn has at least one call, so this many rounds are as many calls at least.
      for (let number = 1; number <= this.#request.settings.toolCallsPerTurn + 1; number++) {
        let calls: number;
        try {
          calls = await this.#round(setup, number);
        } catch (error) {
          if (replanned || !(error instanceof ModelError) || !error.replan) throw error;
          replanned = true;
          this.#warn(error.message);
          setup = this.#setUp();
          if (typeof setup === 'string') return this.#end('failed', setup);
          continue;
        }
        if (this.#signal.aborted) return this.#end('cancelled');
        if (calls === 0) {
          return this.#answer.trim() === ''
            ? this.#end('failed', `${this.#request.port.info.name} returned an empty answer. Ask again, or choose another model.`)
            : this.#end('answered');
        }
      }
      return this.#end(
        'failed',
        `Stopped after ${this.#request.settings.toolCallsPerTurn} rounds of tool calls (toolsearch.limits.toolCallsPerTurn).`,
      );
    } catch (error) {
      if (this.#signal.aborted) return this.#end('cancelled');
      if (error instanceof ModelError) return this.#end('failed', error.message);
      this.#end('failed', 'An internal error ended the turn.');
      throw error;
    }
  }

  /** Plans the turn and records its start; a string is the reason why it can't run. */
  #start(): Setup | string {
    const { port, settings } = this.#request;
    const catalog = this.#world.source.catalog;
    const setup = this.#setUp();
    const plan = typeof setup === 'string' ? this.#plan(catalog) : setup.plan;
    const delivery: Choice = typeof setup === 'string' ? { name: settings.delivery, why: setup } : setup.delivery;
    this.#record({
      type: 'turnStarted',
      prompt: this.#request.prompt,
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy: typeof setup === 'string' ? chooseStrategy(settings, delivery.name, port.info) : setup.strategy,
      delivery: { name: delivery.name, why: delivery.why },
      counts: counts(plan.eager, plan.deferred, discoveredIds(this.#history, catalog)),
    });
    if (typeof setup === 'string') return setup;
    if (!port.info.toolCalling) {
      this.#warn(
        `${port.info.name} can't call tools, so it answers without them. Choose a model with tool calling to use the ${catalog.tools.length} tools of this workspace.`,
      );
    }
    if (setup.delivery.degraded !== undefined) this.#warnOnce(setup.delivery.degraded);
    return setup;
  }

  /** Plans the turn over today's catalog and what is known of the model. */
  #setUp(): Setup | string {
    const { port, settings } = this.#request;
    const plan = this.#plan(this.#world.source.catalog);
    if (!port.info.toolCalling) {
      const delivery = { name: 'local' as const, why: 'this model can’t call tools' };
      return { plan: { ...plan, eager: [], deferred: [] }, strategy: chooseStrategy(settings, delivery.name), delivery };
    }
    const choice = chooseDelivery({
      settings,
      model: port.info,
      eager: plan.eager.length,
      deferred: plan.deferred.length,
      discovered: discoveredIds(this.#history, this.#world.source.catalog).size,
    });
    if (!choice.ok) return choice.message;
    return { plan, strategy: chooseStrategy(settings, choice.delivery.name, port.info), delivery: choice.delivery };
  }

  #plan(catalog: Catalog): LoadingPlan {
    const { settings, pins, references, port } = this.#request;
    return planLoading({
      catalog,
      settings,
      pins,
      references,
      model: port.info,
      definitionTokens: (tools) => this.#world.meter.estimate(definitionsLength(tools)).value,
    });
  }

  /** One model call and all that it asked for; returns how many calls that were. */
  async #round(setup: Setup, number: number): Promise<number> {
    const round = this.#open(setup, number);
    const { port, settings } = this.#request;
    const transcript = [...this.#history, ...this.#items];
    const searchable = round.deferred.length > 0;
    const discovered = toolsOf(round.discovered, round.catalog);
    const native = setup.delivery.name === 'server' || setup.delivery.name === 'client';
    const inSight = native ? discovered : setup.delivery.name === 'bridge' ? [] : this.#withinLimit(setup, discovered);
    const parts: RequestParts = {
      transcript,
      guidance:
        searchable && settings.guidance
          ? guidanceText(round.deferred.length, [...new Set(round.deferred.map((tool) => tool.server))], setup.delivery.name)
          : '',
      own: searchable ? ownDefinitions(setup.delivery.name, settings) : [],
      eager: setup.plan.eager,
      discovered: inSight,
      all: [...setup.plan.eager, ...round.deferred],
    };
    this.#record({ type: 'roundStarted', round: number, counts: counts(setup.plan.eager, round.deferred, round.discovered) });

    const definitions = (tools: readonly Tool[]) => tools.map((tool) => definitionOf(tool).definition);
    const request: ModelRequest = {
      system: parts.guidance,
      transcript,
      tools: [...parts.own, ...definitions(native ? parts.eager : [...parts.eager, ...inSight])],
      delivery: setup.delivery.name,
      strategy: setup.strategy.name,
      deferred: native ? definitions(round.deferred) : [],
      required: this.#uncalled(setup.plan.eager),
    };
    const started = this.#world.now();
    const seen = new Set(round.discovered);
    const [reply, prices] = await Promise.all([
      this.#listen(port.send(request, this.#signal), setup, number, seen),
      priceRequest(setup.delivery.name === 'server' ? { ...parts, request } : parts, port, this.#world.meter, this.#signal),
    ]);
    // The provider put what it found into the model's sight in mid-reply.
    const expanded =
      native && seen.size > round.discovered.size
        ? await priceTools('discovered', toolsOf(seen, this.#world.source.catalog), port, this.#world.meter, this.#signal)
        : undefined;
    this.#record({
      type: 'roundEnded',
      round: number,
      ms: this.#world.now() - started,
      tokens: roundTokens(prices, reply.usage, expanded),
      ...(reply.usage ? { outputTokens: { value: reply.usage.outputTokens, certainty: 'measured' as const } } : {}),
    });
    if (reply.failure instanceof ModelError && reply.failure.replan) throw reply.failure;
    this.#items.push(assistantItem(reply, (name) => this.#world.source.catalog.byModelName.get(name)?.id));
    if (reply.failure !== undefined) {
      if (reply.calls.length > 0) this.#items.push({ kind: 'results', results: reply.calls.map(cancelledResult) });
      throw reply.failure;
    }
    if (reply.calls.length > 0)
      this.#items.push({ kind: 'results', results: await this.#answerCalls(setup, this.#open(setup, number), reply.calls) });
    return reply.calls.length;
  }

  /** Today's catalog under the turn's setup: what became eager meanwhile waits for the next turn, so that the prefix stays. */
  #open(setup: Setup, number: number): Round {
    const catalog = this.#world.source.catalog;
    const eager = new Set(setup.plan.eager.map((tool) => tool.id));
    const plan = setup.plan.deferred.length > 0 ? this.#plan(catalog) : setup.plan;
    const known = discoveredIds([...this.#history, ...this.#items], catalog);
    const late = setup.plan.deferred.length > 0 ? [...plan.eager, ...plan.deferred].filter((tool) => !eager.has(tool.id)) : [];
    const deferred = this.#withinDeferredLimit(setup, late, known);
    const deferredIds = new Set(deferred.map((tool) => tool.id));
    return { number, catalog, deferred, discovered: new Set([...known].filter((id) => deferredIds.has(id))) };
  }

  /** The newest discoveries that fit under the model's limit. */
  #withinLimit(setup: Setup, discovered: readonly Tool[]): readonly Tool[] {
    const room = this.#request.port.info.maxTools - setup.plan.eager.length - OWN_TOOLS[setup.delivery.name];
    if (discovered.length <= room) return discovered;
    this.#warn(
      `Only the newest ${room} of ${discovered.length} discovered tools fit under the ${this.#request.port.info.maxTools} tools that ${this.#request.port.info.name} takes.`,
    );
    return discovered.slice(-room);
  }

  /** What a provider that searches itself can be given: discovered tools first, then the first ones in the catalog's order. */
  #withinDeferredLimit(setup: Setup, deferred: readonly Tool[], discovered: ReadonlySet<string>): readonly Tool[] {
    const { native, name } = this.#request.port.info;
    const max =
      setup.delivery.name === 'server' || setup.delivery.name === 'client' ? (native?.maxDeferred ?? 0) : Number.POSITIVE_INFINITY;
    if (deferred.length <= max) return deferred;
    this.#warnOnce(
      `${name} takes ${max} deferred tools in a request, and there are ${deferred.length}: the last ${deferred.length - max} in the order of servers and names can't be found. Set toolsearch.delivery to local or bridge to search all of them.`,
    );
    let room = max - deferred.filter((tool) => discovered.has(tool.id)).length;
    return deferred.filter((tool) => discovered.has(tool.id) || room-- > 0);
  }

  /** Hears a reply out, showing and recording it as it comes. `seen` grows by what the provider itself finds. */
  #listen(events: ReturnType<ModelPort['send']>, setup: Setup, number: number, seen: Set<string>): Promise<Reply> {
    const sink = {
      text: (delta: string) => {
        this.#answer += delta;
        this.#sink.text(delta);
      },
      search: (search: ProviderSearch) =>
        recordProviderSearch(search, seen, {
          ...this.#open(setup, number),
          round: number,
          meter: this.#world.meter,
          record: this.#record,
          sink: this.#sink,
        }),
      warning: (message: string) => this.#warn(message),
    };
    return collectReply(events, sink, this.#items.length, this.#signal);
  }

  /** Names of the prompt's `#tool`s that this turn hasn't called yet. */
  #uncalled(eager: readonly Tool[]): readonly string[] {
    const called = new Set(this.#items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map((call) => call.name) : [])));
    return eager.filter((tool) => this.#request.references.has(tool.id) && !called.has(tool.modelName)).map((tool) => tool.modelName);
  }

  #answerCalls(setup: Setup, round: Round, calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const context: CallContext = {
      ...round,
      round: round.number,
      eager: setup.plan.eager,
      strategy: this.#request.settings.strategy,
      delivery: setup.delivery.name,
      settings: this.#request.settings,
      search: this.#world.search,
      runner: this.#request.runner,
      failures: this.#failures,
      meter: this.#world.meter,
      now: this.#world.now,
      renderResult: this.#world.renderResult,
      record: this.#record,
      sink: this.#sink,
      warn: (message) => this.#warn(message),
    };
    return answerCalls(calls, context, this.#signal);
  }

  #warn(message: string): void {
    this.#record({ type: 'warned', message });
    this.#sink.warning(message);
  }

  /** Says once in a session what holds for all of its turns with a model. */
  #warnOnce(message: string): void {
    if (!this.#world.ledger.events.some((event) => event.type === 'warned' && event.message === message)) this.#warn(message);
  }

  #end(status: TurnStatus, message?: string): TurnOutcome {
    this.#record({ type: 'turnEnded', status, ms: this.#world.now() - this.#startedAt, ...(message === undefined ? {} : { message }) });
    return {
      turn: this.#number,
      status,
      items: withoutImages(this.#items),
      answer: this.#answer,
      ...(message === undefined ? {} : { message }),
    };
  }
}

function toolsOf(ids: Iterable<string>, catalog: Catalog): readonly Tool[] {
  return [...ids].map((id) => catalog.byId.get(id)).filter((tool): tool is Tool => tool !== undefined);
}

function counts(eager: readonly Tool[], deferred: readonly Tool[], discovered: ReadonlySet<string>) {
  const found = deferred.filter((tool) => discovered.has(tool.id)).length;
  return { eager: eager.length, discovered: found, deferred: deferred.length - found };
}

/** The result of a call that was never run: without it the transcript couldn't be continued. */
function cancelledResult(call: ToolCall): ToolResult {
  return { callId: call.callId, outcome: 'cancelled', parts: [{ type: 'text', text: 'Cancelled before it ran.' }] };
}
