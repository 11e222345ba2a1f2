import type { Tool } from '../catalog/tool';
import type { RenderResult } from '../hooks/resultRenderer';
import type { Ledger, LedgerEntry, TurnStatus } from '../ledger/ledger';
import { type Choice, chooseStrategy } from '../planning/delivery';
import { discoveredIds } from '../planning/discovery';
import { openRound, type PlanInputs, planRequest, planTools, planTurn, type Round, type Setup, toolsOf } from '../planning/turnPlan';
import { ModelError, type ModelPort, type ProviderSearch, type ToolRunner, type ToolSource } from '../ports';
import type { SearchPort } from '../search/types';
import type { Pins, Settings } from '../settings/settings';
import { priceRequest, priceTools } from '../tokens/accounting';
import { roundTokens } from '../tokens/arithmetic';
import { type TokenMeter, ZERO } from '../tokens/tokens';
import { newestTurns, type ToolCall, type ToolResult, type Transcript, type TranscriptItem, withoutMedia } from '../transcript/transcript';
import { answerCalls, type CallContext } from './calls';
import { recordProviderSearch } from './recordSearch';
import { assistantItem, collectReply, type Reply } from './reply';
import { TurnCalls } from './turnCalls';

/** What a turn uses of the world; the same for every turn of a session. */
export interface TurnWorld {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  readonly meter: TokenMeter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Lets the host do something else: turns side by side would otherwise work in one go. Resolves in a task of its own. */
  readonly breathe?: () => Promise<void>;
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
  /** What the user should know of how the turn was prepared. */
  readonly warnings?: readonly string[];
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
  readonly #calls: TurnCalls;
  #answer = '';

  constructor(world: TurnWorld, request: TurnRequest, sink: TurnSink, signal: AbortSignal) {
    this.#world = world;
    this.#request = request;
    this.#sink = sink;
    this.#signal = signal;
    this.#calls = new TurnCalls(request.settings);
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
          setup = planTurn(this.#inputs());
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
    const setup = planTurn(this.#inputs());
    const plan = typeof setup === 'string' ? planTools(this.#inputs()) : setup.plan;
    const delivery: Choice = typeof setup === 'string' ? { name: settings.delivery, why: setup } : setup.delivery;
    this.#record({
      type: 'turnStarted',
      prompt: this.#request.prompt,
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy: typeof setup === 'string' ? chooseStrategy(settings, delivery.name, port.info) : setup.strategy,
      delivery: { name: delivery.name, why: delivery.why },
      counts: counts(plan.eager, plan.deferred, discoveredIds(this.#history, catalog)),
    });
    for (const warning of this.#request.warnings ?? []) this.#warn(warning);
    if (typeof setup === 'string') return setup;
    if (!port.info.toolCalling) {
      this.#warn(
        `${port.info.name} can't call tools, so it answers without them. Choose a model with tool calling to use the ${catalog.tools.length} tools of this workspace.`,
      );
    }
    if (setup.delivery.degraded !== undefined) this.#warnOnce(setup.delivery.degraded);
    return setup;
  }

  /** What is planned from, as of now. */
  #inputs(): PlanInputs {
    const { settings, pins, references, port } = this.#request;
    const { source, meter } = this.#world;
    return { catalog: source.catalog, settings, pins, references, model: port.info, meter, transcript: [...this.#history, ...this.#items] };
  }

  /** One model call and all that it asked for; returns how many calls that were. */
  async #round(setup: Setup, number: number): Promise<number> {
    await this.#world.breathe?.();
    const { port } = this.#request;
    const inputs = this.#inputs();
    const round = openRound(setup, number, inputs);
    const { parts, request, leftOut } = planRequest(setup, round, inputs, this.#called());
    if (round.leftOut !== undefined) this.#warnOnce(round.leftOut);
    if (leftOut !== undefined) this.#warn(leftOut);
    this.#record({ type: 'roundStarted', round: number, counts: counts(setup.plan.eager, round.deferred, round.discovered) });

    const started = this.#world.now();
    const seen = new Set(round.discovered);
    const [reply, prices] = await Promise.all([
      this.#listen(port.send(request, this.#signal), setup, number, seen),
      priceRequest(parts, port, this.#world.meter, this.#signal),
    ]);
    // The provider put what it found into the model's sight in mid-reply.
    const expanded =
      seen.size > round.discovered.size
        ? await priceTools('discovered', toolsOf(seen, this.#world.source.catalog), port, this.#world.meter, this.#signal)
        : undefined;
    this.#record({
      type: 'roundEnded',
      round: number,
      ms: this.#world.now() - started,
      tokens: wasRefused(reply) ? NOTHING : roundTokens(prices, reply.usage, expanded),
      ...(reply.usage ? { outputTokens: { value: reply.usage.outputTokens, certainty: 'measured' as const } } : {}),
    });
    if (reply.failure instanceof ModelError && reply.failure.replan) throw reply.failure;
    this.#items.push(assistantItem(reply, (name) => this.#world.source.catalog.byModelName.get(name)?.id));
    if (reply.failure !== undefined) {
      if (reply.calls.length > 0) this.#items.push({ kind: 'results', results: reply.calls.map(cancelledResult) });
      throw reply.failure;
    }
    if (reply.calls.length === 0) return 0;
    await this.#world.breathe?.();
    this.#items.push({ kind: 'results', results: await this.#answerCalls(setup, openRound(setup, number, this.#inputs()), reply.calls) });
    return reply.calls.length;
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
          ...openRound(setup, number, this.#inputs()),
          round: number,
          meter: this.#world.meter,
          record: this.#record,
          sink: this.#sink,
        }),
      warning: (message: string) => this.#warn(message),
    };
    return collectReply(events, sink, this.#items.length, this.#signal);
  }

  /** Names of the tools that this turn called. */
  #called(): ReadonlySet<string> {
    return new Set(this.#items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map((call) => call.name) : [])));
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
      calls: this.#calls,
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
      items: withoutMedia(this.#items),
      answer: this.#answer,
      ...(message === undefined ? {} : { message }),
    };
  }
}

/** A request that a service refused before it answered cost nothing. */
function wasRefused({ failure, usage, text, calls }: Reply): boolean {
  return failure !== undefined && usage === undefined && text === '' && calls.length === 0;
}

const NOTHING = { promptAndHistory: ZERO, eager: ZERO, discovered: ZERO, searchOverhead: ZERO, sent: ZERO, baseline: ZERO };

function counts(eager: readonly Tool[], deferred: readonly Tool[], discovered: ReadonlySet<string>) {
  const found = deferred.filter((tool) => discovered.has(tool.id)).length;
  return { eager: eager.length, discovered: found, deferred: deferred.length - found };
}

/** The result of a call that was never run: without it the transcript couldn't be continued. */
function cancelledResult(call: ToolCall): ToolResult {
  return { callId: call.callId, outcome: 'cancelled', parts: [{ type: 'text', text: 'Cancelled before it ran.' }] };
}
