import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL } from '../catalog/modelNames';
import type { ToolCall, ToolResult, TranscriptItem } from '../conversation/transcript';
import { conversationPlanOf } from '../planning/conversationPlan';
import { discoveredIds } from '../planning/discovery';
import { begunWith, type PlanInputs, type Setup } from '../planning/turnPlan';
import type { Call, ToolRun } from '../ports';
import type { CallContext } from '../turn/callContext';
import { answerCalls, findTool, isOurs } from '../turn/calls';
import { BEFORE_GATES, type Gates, gatesOf, passGates } from '../turn/gates';
import { argumentsOf, parseCallInput } from '../turn/ownToolInputs';
import { recordCall } from '../turn/recordCall';
import { type Driver, loadingCounts } from '../turn/rounds';
import { cut } from '../util/cut';
import { l10n } from '../util/l10n';
import type { PlannedRelay, RelayDeps, RelaySink } from './relayRequest';
import { isLimited, PROMPT_CHARS, questionOf, type RelayTurn, recordResults } from './relayTurns';

interface RelayDriverDeps {
  readonly request: PlannedRelay;
  /** The agent's tools as a catalog. */
  readonly catalog: Catalog;
  /** Our own catalog, which the search index contains. */
  readonly known: Catalog;
  readonly turn: RelayTurn;
  readonly sink: RelaySink;
  readonly relay: RelayDeps;
}

/** The driver of another agent's request. The agent runs its tools itself and gets only text. */
export class RelayDriver implements Driver {
  readonly items: TranscriptItem[] = [];
  readonly sink: Driver['sink'];
  /** The calls that the agent is to run, with its own tool names. */
  readonly handed: ToolCall[] = [];
  said = '';
  readonly #deps: RelayDriverDeps;

  constructor(deps: RelayDriverDeps) {
    this.#deps = deps;
    this.sink = {
      text: (delta) => {
        this.said += delta;
        deps.sink.text(delta);
      },
      searching: () => {},
      found: () => {},
      calling: () => {},
      waiting: (models, seconds) => deps.relay.log(`${models} asks to wait ${seconds} s.`),
    };
  }

  get catalog(): Catalog {
    return this.#deps.catalog;
  }

  inputs(): PlanInputs {
    const { request, catalog, known } = this.#deps;
    const { settings, pins, port, counter, transcript, system, mustCall } = request;
    return {
      catalog,
      settings,
      pins,
      references: new Set(),
      model: port.info,
      counter,
      transcript: [...transcript, ...this.items],
      conversationPlan: conversationPlanOf([...transcript, ...this.items], port.info),
      agent: { system, known: known.byId, mustCall },
    };
  }

  begin(planned: Setup | string, inputs: PlanInputs): void {
    const { request, catalog, turn, relay } = this.#deps;
    const { port, transcript } = request;
    const { plan, delivery, strategy } = begunWith(planned, inputs);
    turn.begin(() => ({
      type: 'turnStarted',
      prompt: cut(questionOf(transcript), PROMPT_CHARS),
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy,
      delivery: { name: delivery.name, why: `${delivery.why}; ${l10n.t('for another agent of VS Code')}` },
      counts: loadingCounts(plan.eager, plan.deferred, discoveredIds(transcript, catalog)),
      agent: true,
    }));
    recordResults(turn, transcript, relay.services.clock.now(), relay.outcomeOf);
  }

  nextRound(): number {
    return ++this.#deps.turn.rounds;
  }

  warn(message: string, once?: 'once'): void {
    const { turn, relay } = this.#deps;
    if (once && turn.warned(message)) return;
    turn.record({ type: 'warned', message });
    relay.log(message);
  }

  /** Answers searches and calls of unknown tools itself. Other calls go to the agent, unless a limit refuses them. */
  async answer(calls: readonly ToolCall[], context: CallContext, signal: AbortSignal): ReturnType<Driver['answer']> {
    const mine: ToolCall[] = [];
    const refused: ToolResult[] = [];
    const before = this.handed.length;
    for (const call of calls) {
      const named = calledTool(call, context);
      if (!named) {
        mine.push(call);
        continue;
      }
      const run = await this.#handOver(call.callId, named, { context, signal });
      if (run !== HANDED_OVER) refused.push({ callId: call.callId, outcome: run.outcome, parts: run.parts });
    }
    const results = await answerCalls(mine, context, signal);
    return { results: [...results, ...refused], open: this.handed.length > before };
  }

  /** Passes a call of an agent's own tool to the agent, unless a gate refuses it. */
  async #handOver(
    callId: string,
    { tool, args }: NonNullable<ReturnType<typeof calledTool>>,
    { context, signal }: { readonly context: CallContext; readonly signal: AbortSignal },
  ): Promise<ToolRun> {
    const { turn, sink, relay } = this.#deps;
    const { round } = context;
    const { limits, record } = context.turn;
    const { now } = relay.services.clock;
    const call: Call = {
      ...BEFORE_GATES,
      tool,
      asked: args,
      by: 'model',
      round: round.number,
      callId,
      since: now(),
      retry: limits.failuresOf({ tool, asked: args }),
      withoutDiscovery: round.deferred.includes(tool) && !round.discovered.has(tool.id),
      signal,
    };
    const gates: Gates = {
      ...gatesOf(context),
      limits: async (passed, goOn) => (isLimited(tool) ? limits.admit(passed) : undefined) ?? goOn(passed),
      // The agent runs its calls itself, in its own order.
      order: (passed, goOn) => goOn(passed),
    };
    const run = await passGates(call, gates, async (passed) => {
      const handed = { callId, name: tool.invokeName, input: passed.input };
      this.handed.push(handed);
      const { signal: _, refusal: __, ...recorded } = passed;
      turn.handed.set(callId, recorded);
      sink.call(handed);
      return HANDED_OVER;
    });
    if (run !== HANDED_OVER) recordCall(record, call, run, now());
    return run;
  }
}

/** The agent runs the call, and its next request has the result. */
const HANDED_OVER: ToolRun = { outcome: 'ok', parts: [] };

/** Returns the tool that a call names, directly or by `call_tool`; undefined if that is ours, unreadable or unknown. */
function calledTool(call: ToolCall, context: CallContext) {
  if (isOurs(call.name, context) && call.name !== CALL_TOOL) return undefined;
  const inner = isOurs(call.name, context) ? parseCallInput(call.input) : undefined;
  if (inner && !inner.ok) return undefined;
  const tool = findTool(inner ? inner.value.name : call.name, context.round);
  return tool && { tool, args: inner ? argumentsOf(inner.value, tool) : call.input };
}
