import { definitionsLength, priceRequest, type RequestParts, withUsage } from './accounting';
import { answerCalls, type CallContext } from './calls';
import type { Catalog } from './catalog';
import { type Choice, chooseDelivery, chooseStrategy, type DeliveryName, OWN_TOOLS } from './delivery';
import { discoveredIds } from './discovery';
import type { Ledger, LedgerEntry, TurnStatus } from './ledger';
import { type LoadingPlan, planLoading } from './loading';
import { ModelError, type ModelPort, type SearchPort, type ToolRunner, type ToolSource, type Usage } from './ports';
import type { RenderResult } from './resultRenderer';
import { guidanceText, ownDefinitions } from './searchTools';
import type { Pins, Settings } from './settings';
import { definitionOf, type TokenMeter } from './tokens';
import type { Tool } from './tool';
import { newestTurns, type OpaqueBlock, type ToolCall, type ToolResult, type Transcript, type TranscriptItem } from './transcript';

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
  readonly delivery: Choice<DeliveryName>;
}

/** What a round works with: the setup over today's catalog. */
interface Round {
  readonly number: number;
  readonly catalog: Catalog;
  readonly deferred: readonly Tool[];
  readonly discovered: ReadonlySet<string>;
}

/** What a model said in one round. */
interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly opaque: readonly OpaqueBlock[];
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
      const setup = this.#setUp();
      if (typeof setup === 'string') return this.#end('failed', setup);
      // Each round that doesn't end the turn has at least one call, so this many rounds are as many calls at least.
      for (let number = 1; number <= this.#request.settings.toolCallsPerTurn + 1; number++) {
        const calls = await this.#round(setup, number);
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
  #setUp(): Setup | string {
    const { port, settings } = this.#request;
    const catalog = this.#world.source.catalog;
    const plan = this.#plan(catalog);
    const discovered = discoveredIds(this.#history, catalog);
    const choice = chooseDelivery({
      settings,
      model: port.info,
      eager: plan.eager.length,
      deferred: plan.deferred.length,
      discovered: discovered.size,
    });
    const strategy = chooseStrategy(settings);
    const delivery: Choice = choice.ok ? choice.delivery : { name: settings.delivery, why: choice.message };
    this.#record({
      type: 'turnStarted',
      prompt: this.#request.prompt,
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy,
      delivery,
      counts: counts(plan.eager, plan.deferred, discovered),
    });
    if (!port.info.toolCalling) {
      this.#warn(
        `${port.info.name} can't call tools, so it answers without them. Choose a model with tool calling to use the ${catalog.tools.length} tools of this workspace.`,
      );
      return { plan: { ...plan, eager: [], deferred: [] }, strategy, delivery: { name: 'local', why: 'this model can’t call tools' } };
    }
    return choice.ok ? { plan, strategy, delivery: choice.delivery } : choice.message;
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
    const discovered = [...round.discovered].map((id) => round.catalog.byId.get(id)).filter((tool): tool is Tool => tool !== undefined);
    const inRequest = setup.delivery.name === 'bridge' ? [] : this.#withinLimit(setup, discovered);
    const parts: RequestParts = {
      transcript,
      guidance:
        searchable && settings.guidance
          ? guidanceText(round.deferred.length, [...new Set(round.deferred.map((tool) => tool.server))], setup.delivery.name)
          : '',
      own: searchable ? ownDefinitions(setup.delivery.name, settings) : [],
      eager: setup.plan.eager,
      discovered: inRequest,
      all: [...setup.plan.eager, ...round.deferred],
    };
    this.#record({ type: 'roundStarted', round: number, counts: counts(setup.plan.eager, round.deferred, round.discovered) });

    const tools = [...parts.own, ...[...parts.eager, ...parts.discovered].map((tool) => definitionOf(tool).definition)];
    const started = this.#world.now();
    const [reply, tokens] = await Promise.all([
      this.#listen(port.send({ system: parts.guidance, transcript, tools }, this.#signal)),
      priceRequest(parts, port, this.#world.meter, this.#signal),
    ]);
    this.#record({
      type: 'roundEnded',
      round: number,
      ms: this.#world.now() - started,
      tokens: withUsage(tokens, reply.usage),
      ...(reply.usage ? { outputTokens: { value: reply.usage.outputTokens, certainty: 'measured' as const } } : {}),
    });
    this.#items.push({
      kind: 'assistant',
      text: reply.text,
      calls: reply.calls,
      ...(reply.opaque.length > 0 ? { opaque: reply.opaque } : {}),
    });
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
    const deferred = setup.plan.deferred.length > 0 ? [...plan.eager, ...plan.deferred].filter((tool) => !eager.has(tool.id)) : [];
    const known = discoveredIds([...this.#history, ...this.#items], catalog);
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

  /** Collects a reply. What was said before a failure is kept beside it. */
  async #listen(events: ReturnType<ModelPort['send']>): Promise<Reply & { readonly usage: Usage | undefined; readonly failure?: unknown }> {
    let text = '';
    let usage: Usage | undefined;
    const calls: ToolCall[] = [];
    const opaque: OpaqueBlock[] = [];
    const ids = new Set<string>();
    let failure: unknown;
    try {
      for await (const event of events) {
        if (this.#signal.aborted) break;
        switch (event.type) {
          case 'text':
            text += event.text;
            this.#answer += event.text;
            this.#sink.text(event.text);
            break;
          case 'call': {
            // Some models leave ids out or repeat them; results are matched by id.
            const callId = event.callId !== '' && !ids.has(event.callId) ? event.callId : `call_${this.#items.length}_${calls.length}`;
            ids.add(callId);
            calls.push({ callId, name: event.name, input: event.input });
            break;
          }
          case 'opaque':
            opaque.push(event.block);
            break;
          case 'usage':
            usage = event.usage;
            break;
        }
      }
    } catch (error) {
      failure = error;
    }
    return { text, calls, opaque, usage, ...(failure === undefined ? {} : { failure }) };
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

  #end(status: TurnStatus, message?: string): TurnOutcome {
    this.#record({ type: 'turnEnded', status, ms: this.#world.now() - this.#startedAt, ...(message === undefined ? {} : { message }) });
    return { turn: this.#number, status, items: this.#items, answer: this.#answer, ...(message === undefined ? {} : { message }) };
  }
}

function counts(eager: readonly Tool[], deferred: readonly Tool[], discovered: ReadonlySet<string>) {
  const found = deferred.filter((tool) => discovered.has(tool.id)).length;
  return { eager: eager.length, discovered: found, deferred: deferred.length - found };
}

/** The result of a call that was never run: without it the transcript couldn't be continued. */
function cancelledResult(call: ToolCall): ToolResult {
  return { callId: call.callId, outcome: 'cancelled', parts: [{ type: 'text', text: 'Cancelled before it ran.' }] };
}
