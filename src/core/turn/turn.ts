// Runs a turn of `@toolsearch`: a question of the user, with all its rounds.

import type { Catalog } from '../catalog/catalog';
import type { CodeDeps } from '../code/codeDeps';
import { fittingHistory, keptTurn } from '../conversation/keptHistory';
import {
  type ConversationPlan,
  isQuestion,
  type ToolCall,
  type Transcript,
  type TranscriptItem,
} from '../conversation/transcript';
import { withoutPending } from '../conversation/unanswered';
import type { RecordEntry, TurnStatus } from '../ledger/ledger';
import { conversationPlanOf } from '../planning/conversationPlan';
import { discoveredIds } from '../planning/discovery';
import { begunWith, type PlanInputs, type Setup } from '../planning/turnPlan';
import { type ModelPort, type ToolRunner, toolMessage } from '../ports';
import type { MissingStrategy } from '../settings/parseSettings';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { l10n } from '../util/l10n';
import type { CallContext } from './callContext';
import { CallLimits } from './callLimits';
import { answerCalls } from './calls';
import { type Driver, loadingCounts, type RoundSink, type RoundsEnd, runRounds } from './rounds';
import type { TurnServices } from './turnServices';

export interface TurnQuestion {
  readonly prompt: string;
  /** The conversation before it. */
  readonly history: Transcript;
  /** The chat's name; empty or undefined if it isn't known. */
  readonly chat?: string | undefined;
  /** Ids of the `#tool`s of the prompt. */
  readonly references: ReadonlySet<string>;
  /** Set if the user asked for an answer without calls. */
  readonly withoutTools?: true | undefined;
  readonly port: ModelPort;
  readonly runner: ToolRunner;
  /** Runs scripts; undefined if they can't run. */
  readonly code?: CodeDeps;
  /** The mode for this question in place of the one in the settings. It isn't part of the conversation's plan. */
  readonly mode?: Settings['mode'] | undefined;
}

/** A question with the user's choices at its time. */
export interface TurnRequest extends TurnQuestion {
  /** The settings for the question's model and mode. */
  readonly settings: Settings;
  readonly pins: Pins;
  /** The strategy that the user named, if no extension has registered it. */
  readonly missingStrategy?: MissingStrategy | undefined;
}

/** Receives a turn's progress, to show it. */
export interface TurnSink extends RoundSink {
  /** Shows a message that isn't part of the answer. */
  warning(message: string): void;
}

export interface TurnOutcome {
  readonly turn: number;
  readonly status: TurnStatus;
  /** The items that this turn adds to the transcript, the prompt first. Complete even if the turn failed. */
  readonly items: Transcript;
  /** All text that the model wrote. */
  readonly answer: string;
  /** The reason why the turn failed, for the user. */
  readonly message?: string;
}

/** Runs a turn of `@toolsearch`. Rejects only for bugs, never because of a model, a tool or the user. */
export async function runTurn(
  services: TurnServices,
  request: TurnRequest,
  sink: TurnSink,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { clock, ledger, counters } = services;
  const { port, settings, runner, code } = request;
  const startedAt = clock.now();
  const { turn, record } = ledger.startTurn(clock.now);
  const driver = new TurnDriver(services, request, sink, record);
  const limits = new CallLimits(settings);
  const counter = counters.of(port.info);
  const info = { prompt: request.prompt, model: `${port.info.vendor}/${port.info.id}` };
  const end = await runRounds(
    { services, counter, settings, runner, limits, code, record, info },
    port,
    driver,
    signal,
  );
  await end.recorded;
  const { status, message } = outcomeOf(end, driver.answered, port.info.name);
  record({ type: 'turnEnded', status, ms: clock.now() - startedAt, ...(message === undefined ? {} : { message }) });
  if (end.status === 'broken') throw end.error;
  const items = keptTurn(
    status === 'answered' ? driver.items : [{ ...driver.asked, unanswered: status }, ...driver.items.slice(1)],
  );
  return { turn, status, items, answer: driver.answered, ...(message === undefined ? {} : { message }) };
}

function outcomeOf(end: RoundsEnd, answer: string, model: string): Pick<TurnOutcome, 'status' | 'message'> {
  switch (end.status) {
    case 'failed':
      return { status: 'failed', message: end.error.message };
    case 'broken':
      return { status: 'failed', message: l10n.t('An internal error ended the turn.') };
    case 'cancelled':
      return { status: 'cancelled' };
    default:
      return answer.trim() === ''
        ? {
            status: 'failed',
            message: l10n.t('{0} returned an empty answer. Ask again, or choose another model.', model),
          }
        : { status: 'answered' };
  }
}

/** The share of a model's window for earlier turns. The rest is for definitions, results and the answer. */
const HISTORY_SHARE = 0.5;
/** The assumed characters per token: a low number, so that prose and code are overestimated, not underestimated. */
const HISTORY_CHARS_PER_TOKEN = 3;

/** The driver of a user's question: Tool Search runs every call, and the user sees the progress. */
class TurnDriver implements Driver {
  readonly #services: TurnServices;
  readonly #request: TurnRequest;
  readonly #record: RecordEntry;
  readonly #history: Transcript;
  /** The conversation's plan. It stays in use even if the turn that made it no longer fits the model's context. */
  readonly #conversationPlan: ConversationPlan | undefined;
  readonly asked: { readonly kind: 'user'; readonly text: string };
  /** The question as the model reads it: if it failed before and is asked again, with the calls that ran for it. */
  readonly #read: Transcript;
  readonly #shown: TurnSink;
  readonly items: TranscriptItem[];
  readonly sink: Driver['sink'];
  answered = '';
  #rounds = 0;

  constructor(services: TurnServices, request: TurnRequest, sink: TurnSink, record: RecordEntry) {
    this.#services = services;
    this.#request = request;
    this.#shown = sink;
    this.#record = record;
    const window = request.port.info.maxInputTokens || Number.POSITIVE_INFINITY;
    this.asked = { kind: 'user', text: request.prompt };
    const read = withoutPending([...request.history, this.asked]);
    const start = read.findLastIndex(isQuestion);
    this.#history = fittingHistory(read.slice(0, start), window * HISTORY_SHARE * HISTORY_CHARS_PER_TOKEN);
    this.#read = read.slice(start);
    const plan = conversationPlanOf(request.history, request.port.info);
    const defers = plan?.base?.delivery !== undefined;
    // A question in another mode has a beginning of its own, so that the next one begins as if it hadn't been asked.
    this.#conversationPlan = plan?.base && request.mode && (request.mode === 'off') === defers ? undefined : plan;
    this.items = [this.asked];
    this.sink = {
      text: (delta) => {
        this.answered += delta;
        sink.text(delta);
      },
      thinking: (delta) => sink.thinking?.(delta),
      searching: (queries) => sink.searching(queries),
      found: (tools) => sink.found(tools),
      calling: (tool) => sink.calling(tool),
      running: (title) => sink.running?.(title),
      waiting: (models, seconds) => sink.waiting(models, seconds),
    };
  }

  get catalog(): Catalog {
    return this.#services.source.catalog;
  }

  inputs(): PlanInputs {
    const { settings, pins, references, withoutTools, port, code } = this.#request;
    const { counters } = this.#services;
    return {
      catalog: this.catalog,
      settings,
      pins,
      references,
      withoutTools,
      model: port.info,
      counter: counters.of(port.info),
      transcript: [...this.#history, ...this.#read, ...this.items.slice(1)],
      conversationPlan: conversationPlanOf(this.items, port.info) ?? this.#conversationPlan,
      workspace: this.#services.user.workspace(),
      scripts: code !== undefined && code.sandbox.unavailable === undefined,
    };
  }

  begin(planned: Setup | string, inputs: PlanInputs): void {
    const { port, prompt, chat, missingStrategy } = this.#request;
    const { plan, delivery, strategy } = begunWith(planned, inputs);
    this.#record({
      type: 'turnStarted',
      prompt,
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy,
      delivery: { name: delivery.name, why: delivery.why },
      counts: loadingCounts(plan.eager, plan.deferred, discoveredIds(this.#history, inputs.catalog)),
      ...(plan.unsent > 0 ? { unsent: plan.unsent } : {}),
      ...(chat ? { chat } : {}),
    });
    if (missingStrategy !== undefined) {
      this.warn(
        l10n.t(
          'The search strategy “{0}” in {1} doesn’t exist. Its extension may be disabled, or the name is wrong. {2} searches instead.',
          missingStrategy.name,
          missingStrategy.setting,
          strategy.name,
        ),
        'once',
      );
    }
  }

  nextRound(): number {
    return ++this.#rounds;
  }

  warn(message: string, once?: 'once'): void {
    if (once && this.#services.ledger.warned(message)) return;
    this.#record({ type: 'warned', message });
    this.#shown.warning(message);
  }

  async answer(calls: readonly ToolCall[], context: CallContext, signal: AbortSignal): ReturnType<Driver['answer']> {
    if (this.#request.withoutTools) {
      const refused = toolMessage(
        'refused',
        'Not run: the user wants an answer without tools. Answer with what you have.',
      );
      return { results: calls.map(({ callId }) => ({ callId, ...refused })), open: false };
    }
    return { results: await answerCalls(calls, context, signal), open: false };
  }
}
