// Runs the rounds of a turn, for questions to `@toolsearch` and requests of other agents. `Driver` has the differences.

import type { Catalog } from '../catalog/catalog';
import type { ToolDefinition } from '../catalog/tool';
import { providerPermission } from '../code/callPermission';
import { calledNames, type ToolCall, type ToolResult, type TranscriptItem } from '../conversation/transcript';
import { modelPrices } from '../models/modelFacts';
import { usesProviderCode } from '../planning/codeMode';
import { withDefinitions } from '../planning/discovery';
import { withoutHidden } from '../planning/hidden';
import { type PlannedRequest, planRequest, toolsOf, withBase } from '../planning/requestPlan';
import { openRound, type PlanInputs, planTurn, type Round, type Setup, withReaders } from '../planning/turnPlan';
import {
  isNative,
  ModelError,
  type ModelEvent,
  type ModelPort,
  type ProviderSearch,
  type ToolRun,
  toolMessage,
} from '../ports';
import { SERVICES } from '../settings/modelServices';
import { type CountOptions, countRequest, countSent, countTools, fullTwin } from '../usage/accounting';
import { shapeOf } from '../usage/cacheMiss';
import { areSameSegments, segmentsOf } from '../usage/requestShape';
import { searchedAndCalled } from '../usage/twin';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { type CallContext, type CallSink, recordingOf, type TurnContext } from './callContext';
import { ProviderCode } from './providerCode';
import type { AskedRound } from './recordRound';
import { recordProviderSearch } from './recordSearch';
import { assistantItem, boundThinking, collectReply, type Reply } from './reply';
import { wasRefused } from './replyTokens';

/** Receives the progress of rounds, to show it. */
export interface RoundSink extends Omit<CallSink, 'warn'> {
  text(delta: string): void;
  /** Shows the model's thoughts, or a summary of them. */
  thinking?(delta: string): void;
  /** Called when the model's service asked us to wait, and the waiting begins. The message matters only meanwhile. */
  waiting(models: string, seconds: number): void;
}

/** The side of a turn that asks: a question to `@toolsearch` (`turn.ts`) or another agent's (`relayDriver.ts`). */
export interface Driver {
  /** The items that the turn adds to the conversation. Grows with each round. Complete even if the turn fails. */
  readonly items: TranscriptItem[];
  /** The tools that are there now. */
  readonly catalog: Catalog;
  /** Returns the inputs of a round's plan. Their transcript ends with {@link items}. Called once in each round. */
  inputs(): PlanInputs;
  /** Called once when the turn is planned, before anything else is recorded. A string says why it can't run. */
  begin(planned: Setup | string, inputs: PlanInputs): void;
  nextRound(): number;
  readonly sink: RoundSink;
  /** Shows and records a message for the user. With `once`, only if this session hasn't shown it before. */
  warn(message: string, once?: 'once'): void;
  /** Has a reply's calls run. `open`: the asking agent runs some of them and continues with its next request. */
  answer(
    calls: readonly ToolCall[],
    context: CallContext,
    signal: AbortSignal,
  ): Promise<{ readonly results: readonly ToolResult[]; readonly open: boolean }>;
}

/** How a turn's rounds ended. `recorded` resolves when the last round's tokens and cost are in the ledger. */
export type RoundsEnd = { readonly recorded: Promise<void> } & (
  | { readonly status: 'answered' | 'open' | 'cancelled' }
  | { readonly status: 'failed'; readonly error: ModelError }
  /** A bug in our code or in a model's adapter. */
  | { readonly status: 'broken'; readonly error: unknown }
);

/**
 * Runs the rounds of a turn: plan → request → events → searches and calls answered → next round, until the model
 * answers without a call. A round's tokens are counted meanwhile; only its record waits for them. Never rejects.
 */
export async function runRounds(
  turn: TurnContext,
  port: ModelPort,
  driver: Driver,
  signal: AbortSignal,
): Promise<RoundsEnd> {
  const rounds = new Rounds(turn, port, driver, signal);
  try {
    return { status: await rounds.run(), recorded: rounds.recorded };
  } catch (error) {
    const { recorded } = rounds;
    if (signal.aborted) return { status: 'cancelled', recorded };
    return error instanceof ModelError ? { status: 'failed', error, recorded } : { status: 'broken', error, recorded };
  } finally {
    rounds.providerCode.close();
  }
}

/** The number of times that a turn is planned again because its model lacks a feature. A refusal names one. */
const REPLANS = 3;

/** The result of a call that was never run. */
const CANCELLED: ToolRun = { ...toolMessage('cancelled', 'Cancelled before it ran.'), notRun: true };

/** A turn's plan with the inputs of its current round. */
interface PlannedTurn {
  readonly setup: Setup;
  readonly inputs: PlanInputs;
}

/** A round that is ready to be asked: its inputs, its tools and its request. */
type PlannedRound = PlannedTurn & PlannedRequest & { readonly number: number; readonly tools: Round };

class Rounds {
  readonly #turn: TurnContext;
  readonly #port: ModelPort;
  readonly #driver: Driver;
  readonly #signal: AbortSignal;
  recorded: Promise<void> = Promise.resolve();
  readonly providerCode: ProviderCode;
  /** Whether the last text ends without white space. */
  #unended = false;
  #replans = 0;
  /** Whether the last reply searched and called tools. */
  #joins = false;

  constructor(turn: TurnContext, port: ModelPort, driver: Driver, signal: AbortSignal) {
    this.#turn = turn;
    this.#port = port;
    this.#driver = driver;
    this.#signal = signal;
    const { record, settings, services } = turn;
    const { now } = services.clock;
    this.providerCode = new ProviderCode({ record, now, toolCallsPerTurn: settings.toolCallsPerTurn });
  }

  async run(): Promise<'answered' | 'open' | 'cancelled'> {
    const { toolCallsPerTurn } = this.#turn.settings;
    let setup: Setup | undefined;
    // Each round that doesn't end the turn has at least one call, so the limit of calls also limits the rounds.
    for (let made = 0; made <= toolCallsPerTurn; made++) {
      const given = this.#driver.inputs();
      // Later changes count from the next round on.
      const inputs = { ...given, transcript: withoutHidden(given.transcript, given) };
      const begun = setup ? { setup: withReaders(setup, inputs), inputs } : this.#begin(inputs);
      await this.#turn.services.clock.yieldToEventLoop();
      if (this.#signal.aborted) return 'cancelled';
      const { round, asked } = await this.#answered(this.#plan(begun, this.#driver.nextRound()));
      setup = round.setup;
      const taken = this.#take(asked, round);
      this.recorded = this.#record(asked, this.recorded, taken);
      const end = await taken;
      if (end !== 'next') return end;
    }
    throw new ModelError(
      l10n.t('Stopped after {0} rounds of tool calls (toolsearch.limits.toolCallsPerTurn).', toolCallsPerTurn),
    );
  }

  /** Asks the model. Plans the round again if the service refuses a feature that the model was thought to have. */
  async #answered(planned: PlannedRound): Promise<{ readonly round: PlannedRound; readonly asked: AskedRound }> {
    let round = planned;
    for (;;) {
      const asked = await this.#ask(round);
      const { failure } = asked.reply;
      if (!(failure instanceof ModelError && failure.replan) || this.#signal.aborted || this.#replans >= REPLANS)
        return { round, asked };
      this.#replans++;
      round = this.#plan(this.#replan(failure, round), round.number);
    }
  }

  #begin(inputs: PlanInputs): PlannedTurn {
    const setup = planTurn(inputs);
    this.#driver.begin(setup, inputs);
    if (typeof setup === 'string') throw new ModelError(setup);
    this.#warnOfModel(setup, inputs);
    const asked = inputs.transcript.at(-1)?.kind === 'user';
    const begun =
      setup.note !== undefined && asked ? this.#add(inputs, { kind: 'user', text: setup.note, note: true }) : inputs;
    return { setup: withBase(setup, begun), inputs: begun };
  }

  /** Warns of what the model can't do and of what isn't known about it. */
  #warnOfModel(setup: Setup, inputs: PlanInputs): void {
    const { name, toolCalling, retires, vendor, maxInputTokens } = this.#port.info;
    if (!toolCalling && inputs.catalog.tools.length > 0) {
      this.#driver.warn(
        l10n.t(
          "{0} can't call tools, so it answers without them. Choose a model with tool calling to use the {1} tools of this workspace.",
          name,
          inputs.catalog.tools.length,
        ),
        'once',
      );
    }
    if (retires)
      this.#driver.warn(
        l10n.t('The provider of {0} will switch this model off on {1}. Choose a newer model.', name, retires),
        'once',
      );
    if (Object.values(SERVICES).some((service) => service.vendor === vendor) && !modelPrices(this.#port.info))
      this.#driver.warn(
        l10n.t(
          'Tool Search doesn’t know the model {0}. Its window of {1} tokens and its features are assumed. Figures are in tokens only, because its prices aren’t known.',
          name,
          maxInputTokens.toLocaleString('en'),
        ),
        'once',
      );
    if (setup.delivery.isDegraded) this.#driver.warn(setup.delivery.why, 'once');
    if (
      inputs.model.runsCode === false &&
      !inputs.agent &&
      !setup.code &&
      inputs.catalog.tools.some(providerPermission(inputs.settings))
    )
      this.#driver.warn(
        l10n.t(
          '{0} can’t call tools from its own code. It calls all tools directly, also those that toolsearch.allowedCallers allows for code.',
          name,
        ),
        'once',
      );
  }

  /** Plans again after the service's answer has corrected the model's capabilities. */
  #replan(error: ModelError, { number: refused, ...before }: PlannedRound): PlannedTurn {
    this.#driver.warn(error.message);
    const inputs = { ...before.inputs, model: this.#port.info };
    const setup = planTurn(inputs);
    if (typeof setup === 'string') throw new ModelError(setup);
    // Shown at once, since this turn's next request won't report it again.
    if (setup.delivery.isDegraded) this.#driver.warn(setup.delivery.why, 'once');
    const { discovered } = openRound(setup, refused, inputs);
    const { strategy, delivery, plan } = setup;
    this.#turn.record({
      type: 'replanned',
      refused,
      strategy: { name: strategy.name, why: strategy.why },
      delivery: { name: delivery.name, why: delivery.why },
      counts: loadingCounts(plan.eager, plan.deferred, discovered),
    });
    return { setup: withBase(setup, inputs), inputs };
  }

  /** Makes one model call and waits for its end. */
  async #ask(planned: PlannedRound): Promise<AskedRound> {
    const { record, services } = this.#turn;
    const { now } = services.clock;
    const { number, setup, tools, parts, request, choice, leftOut } = planned;
    if (tools.leftOut !== undefined) this.#driver.warn(tools.leftOut, 'once');
    if (leftOut !== undefined) this.#driver.warn(leftOut);
    record({
      type: 'roundStarted',
      round: number,
      counts: loadingCounts(setup.plan.eager, tools.deferred, tools.discovered),
    });
    const started = now();
    const model = `${this.#port.info.vendor}/${this.#port.info.id}`;
    const shape = shapeOf(request, {
      model,
      all: [...setup.plan.eager, ...tools.deferred],
      discovered: parts.discovered,
    });
    const { requests } = services;
    const followed = requests.follow(shape, started);
    const exchange = services.ledger.exchanges.keep({
      turn: services.ledger.events.at(-1)?.turn ?? 0,
      round: number,
      request,
      ours: parts.own.map(({ name }) => name),
    });
    const seen = new Set(tools.discovered);
    // The twin of a request that defers tools is read only after the reply: it may have thousands of definitions more.
    const twinSegments = () => segmentsOf(fullTwin(parts));
    const isOwnTwin = tools.deferred.length === 0 && areSameSegments(twinSegments(), shape.segments);
    const counts = countRequest(parts, this.#counting, isOwnTwin);
    const reply = await this.#listen(this.#port.send(request, this.#signal), planned, seen);
    exchange.reply = { ...reply, failure: reply.failure === undefined ? undefined : messageOf(reply.failure) };
    // The provider added the tools that it found to the model's context during the reply.
    const found = seen.size > tools.discovered.size ? toolsOf(seen, tools.catalog) : undefined;
    const refused = wasRefused(reply);
    const joins = this.#joins;
    this.#joins = searchedAndCalled(reply.calls);
    return {
      number,
      reply,
      refused,
      counts,
      started,
      ended: now(),
      expanded: found && countTools(found, this.#counting),
      counted: reply.cut && !reply.usage ? countSent(request, this.#counting) : undefined,
      joins,
      defers: tools.deferred.length > 0,
      searches: reply.searches.length || (request.delivery === 'server' ? 0 : undefined),
      deferred: setup.conversationPlan.base && isNative(setup.delivery.name) ? request.deferred : undefined,
      choice,
      cache: {
        followed,
        requests,
        sent: { segments: shape.segments, discovered: shape.discovered, guidance: parts.guidance.length },
        twin: isOwnTwin ? undefined : twinSegments(),
        all: parts.all,
        reportSent: refused ? undefined : followed.read(),
      },
    };
  }

  async #record(asked: AskedRound, before: Promise<void>, taken: Promise<string>): Promise<void> {
    const { recordRound } = await import('./recordRound');
    await recordRound(asked, { record: this.#turn.record, counting: this.#counting }, before, taken);
  }

  /** Plans a request. Before that, adds a note to the conversation on tools that join or leave it. */
  #plan({ setup, inputs }: PlannedTurn, number: number): PlannedRound {
    const plan = (inputs: PlanInputs) => {
      const tools = openRound(setup, number, inputs);
      return { number, setup, inputs, tools, ...planRequest(setup, tools, inputs, calledNames(this.#driver.items)) };
    };
    const first = plan(inputs);
    const { joining, leaving } = first;
    if (joining.length + leaving.length === 0) return first;
    const base = setup.conversationPlan.base?.id;
    const note: TranscriptItem = {
      kind: 'user',
      text: '',
      note: true,
      ...(joining.length > 0 ? { joined: joining } : {}),
      ...(leaving.length > 0 ? { left: leaving } : {}),
      ...(base === undefined ? {} : { base }),
    };
    return plan(this.#add(inputs, note));
  }

  get #counting(): CountOptions {
    const { counter, services } = this.#turn;
    return { port: this.#port, counter, timer: services.clock.timer, signal: this.#signal };
  }

  /** Reads a reply to its end, and shows and records it meanwhile. Adds tools that the provider found to `seen`. */
  #listen(events: ReturnType<ModelPort['send']>, round: PlannedRound, seen: Set<string>): Promise<Reply> {
    const driver = this.#driver;
    const recording = recordingOf(this.#context(round));
    let first = true;
    const sink = {
      text: (delta: string) => {
        // Separates the text from the text of an earlier round.
        const gap = first && this.#unended && !/^\s/.test(delta) ? '\n\n' : '';
        first = false;
        this.#unended = /\S$/.test(delta);
        driver.sink.text(gap + delta);
      },
      search: (search: ProviderSearch) => recordProviderSearch(search, seen, recording),
      warning: (message: string) => driver.warn(message),
      waiting: (models: string, seconds: number) => {
        this.#turn.record({ type: 'warned', message: l10n.t('{0} asks to wait {1} s.', models, seconds) });
        driver.sink.waiting(models, seconds);
      },
      thinking: (delta: string) => driver.sink.thinking?.(delta),
      code: (event: Extract<ModelEvent, { type: 'code' | 'codeEnded' }>) =>
        event.type === 'code' ? this.providerCode.started(event, round.number) : this.providerCode.ended(event),
    };
    return collectReply(events, sink, driver.items.length, this.#signal);
  }

  /** Adds a reply to the conversation and has its calls answered. */
  async #take(
    { reply, deferred, choice }: AskedRound,
    { number, setup, inputs, tools: { catalog } }: PlannedRound,
  ): Promise<'answered' | 'open' | 'cancelled' | 'next'> {
    const item = {
      ...assistantItem(reply, (name) => catalog.byModelName.get(name)?.id),
      ...boundThinking(reply, this.#turn.counter),
    };
    const broken = reply.failure !== undefined || this.#signal.aborted;
    const isEmpty = reply.text === '' && reply.calls.length === 0 && !item.searches && !item.opaque;
    const replied =
      broken && isEmpty
        ? inputs
        : this.#add(
            inputs,
            setup.conversationPlan === inputs.conversationPlan
              ? item
              : { ...item, conversationPlan: setup.conversationPlan },
            deferred,
          );
    // A transcript with a call but no result couldn't be continued.
    if (reply.calls.length > 0 && broken)
      this.#add(replied, { kind: 'results', results: reply.calls.map(({ callId }) => ({ callId, ...CANCELLED })) });
    if (this.#signal.aborted) return 'cancelled';
    if (reply.failure !== undefined) throw reply.failure;
    if (reply.calls.length === 0) return 'answered';
    await this.#turn.services.clock.yieldToEventLoop();
    // A server may start while the model writes. A search of this reply finds its tools.
    const tools = openRound(setup, number, { ...replied, catalog: this.#driver.catalog });
    const context = { ...this.#context({ setup, inputs, tools }), choice };
    const { results, open } = await this.#driver.answer(reply.calls, context, this.#signal);
    if (results.length > 0) this.#add(replied, { kind: 'results', results }, deferred);
    if (this.#signal.aborted) return 'cancelled';
    return open ? 'open' : 'next';
  }

  /** Adds an item with the definitions of the tools that it introduces. Returns the round's inputs with it. */
  #add(inputs: PlanInputs, item: TranscriptItem, deferred?: readonly ToolDefinition[]): PlanInputs {
    const added = deferred ? withDefinitions(item, inputs.transcript, deferred) : item;
    this.#driver.items.push(added);
    return { ...inputs, transcript: [...inputs.transcript, added] };
  }

  #context({ setup, inputs, tools }: Pick<PlannedRound, 'setup' | 'inputs' | 'tools'>): CallContext {
    const { settings, code } = this.#turn;
    const { base } = setup.conversationPlan;
    return {
      turn: this.#turn,
      round: { ...tools, eager: setup.plan.eager },
      offer: { delivery: setup.delivery.name, strategy: settings.strategy, begun: base?.tools },
      sink: { ...this.#driver.sink, warn: (message) => this.#driver.warn(message) },
      code: setup.code ? code : undefined,
      offersProviderCode: usesProviderCode(inputs) && (!base || base.code === true),
      providerCode: this.providerCode,
    };
  }
}

/** Counts a request's tools by how they are loaded. */
export function loadingCounts(
  eager: readonly unknown[],
  deferred: readonly { readonly id: string }[],
  discovered: ReadonlySet<string>,
) {
  const found = deferred.filter((tool) => discovered.has(tool.id)).length;
  return { eager: eager.length, discovered: found, deferred: deferred.length - found };
}
