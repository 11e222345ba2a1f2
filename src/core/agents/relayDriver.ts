import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { resultText } from '../conversation/resultText';
import type { ToolCall, ToolResult, TranscriptItem } from '../conversation/transcript';
import { FOR_AGENT } from '../ledger/events';
import { conversationPlanOf } from '../planning/conversationPlan';
import { chooseStrategy } from '../planning/delivery';
import { discoveredIds } from '../planning/discovery';
import { withoutHidden } from '../planning/hidden';
import type { PreparedTurn } from '../planning/preparedTurn';
import { type PlanInputs, planTools, type Setup } from '../planning/turnPlan';
import type { ToolRun } from '../ports';
import type { CallContext } from '../turn/callContext';
import { answerCalls, findTool, isOurs } from '../turn/calls';
import { recordCall } from '../turn/recordCall';
import { type Driver, loadingCounts } from '../turn/round';
import { parseCallInput } from '../turn/searchTools';
import { cut } from '../util/cut';
import { asObject } from '../util/objects';
import type { PlannedRelay, RelayDeps, RelaySink } from './relayRequest';
import { PROMPT_CHARS, questionOf, type RelayTurn, recordResults } from './relayTurns';

interface RelayDriverDeps {
  readonly request: PlannedRelay;
  /** The agent's tools as a catalog. */
  readonly catalog: Catalog;
  /** Our own catalog, which the search index contains. */
  readonly known: Catalog;
  readonly turn: RelayTurn;
  readonly sink: RelaySink;
  /** The effect of other extensions' filters on the request's tools, if there are filters. */
  readonly prepared: Awaited<ReturnType<PreparedTurn['next']>> | undefined;
  readonly relay: RelayDeps;
}

/** The driver of another agent's request. The agent runs its tools itself and gets only text. */
export class RelayDriver implements Driver {
  readonly #deps: RelayDriverDeps;
  readonly items: TranscriptItem[] = [];
  readonly sink: Driver['sink'];
  /** The calls that the agent is to run, with its own tool names. */
  readonly handed: ToolCall[] = [];
  said = '';

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
      transcript: withoutHidden([...transcript, ...this.items], { catalog, settings, pins, model: port.info }),
      opening: conversationPlanOf(this.items) ?? conversationPlanOf(transcript),
      caller: { system, known: known.byId, mustCall },
    };
  }

  begin(planned: Setup | string): void {
    const { request, catalog, turn, relay, prepared } = this.#deps;
    const { settings, port, transcript } = request;
    const failed = typeof planned === 'string';
    const plan = failed ? planTools(this.inputs()) : planned.plan;
    const delivery = failed ? { name: settings.delivery, why: planned } : planned.delivery;
    turn.begin(() => ({
      type: 'turnStarted',
      prompt: cut(questionOf(transcript), PROMPT_CHARS),
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy: failed ? chooseStrategy(settings, delivery.name, port.info) : planned.strategy,
      delivery: { name: delivery.name, why: `${delivery.why}${FOR_AGENT}` },
      counts: loadingCounts(plan.eager, plan.deferred, discoveredIds(transcript, catalog)),
      agent: true,
    }));
    recordResults(turn, transcript, relay.services.clock.now(), relay.outcomeOf);
    for (const warning of prepared?.warnings ?? []) this.warn(warning, 'once');
    if (prepared?.change) turn.record({ type: 'prepared', round: turn.rounds + 1, ...prepared.change });
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

  /**
   * Answers searches and calls of unknown tools itself. All other calls go to the agent, unless a limit refuses them.
   */
  async answer(
    calls: readonly ToolCall[],
    context: CallContext,
    signal: AbortSignal,
  ): Promise<{ results: readonly ToolResult[]; open: boolean }> {
    const mine: ToolCall[] = [];
    const refused: ToolResult[] = [];
    const before = this.handed.length;
    for (const call of calls) {
      const named = calledTool(call, context);
      const refusal = named && this.#handOver(call, named, context);
      if (!named) mine.push(call);
      else if (refusal) refused.push({ callId: call.callId, ...refusal });
    }
    const results = await answerCalls(mine, context, signal);
    return { results: [...results, ...refused], open: this.handed.length > before };
  }

  /** Passes a call of an agent's own tool to the agent. Returns a refusal if the call may not be made. */
  #handOver(
    call: ToolCall,
    { tool, args }: RelayedCall,
    { round, turn: { limits, record } }: CallContext,
  ): ToolRun | undefined {
    const { turn, sink, relay } = this.#deps;
    const retry = limits.failuresOf(tool.id);
    const refusal = isLimited(tool) ? limits.admit(tool) : undefined;
    const handed = { callId: call.callId, name: tool.invokeName, input: asObject(args ?? {}) ?? {} };
    const withoutDiscovery = round.deferred.includes(tool) && !round.discovered.has(tool.id);
    if (refusal) {
      const { outcome } = refusal;
      const text = resultText(refusal);
      recordCall(record, {
        round: round.number,
        callId: call.callId,
        tool: tool.id,
        known: true,
        input: handed.input,
        outcome,
        text,
        withoutDiscovery,
        retry,
        ms: 0,
      });
      return refusal;
    }
    this.handed.push(handed);
    turn.handed.set(call.callId, {
      tool: tool.id,
      limited: isLimited(tool),
      args: handed.input,
      withoutDiscovery,
      at: relay.services.clock.now(),
    });
    sink.call(handed);
    return undefined;
  }
}

/** A call of a tool that is in the request. */
interface RelayedCall {
  readonly tool: Tool;
  readonly args: unknown;
}

/**
 * Returns the tool that a call names, directly or through `call_tool`. Undefined if it is one of ours, can't be read,
 * or doesn't exist.
 */
function calledTool(call: ToolCall, context: CallContext): RelayedCall | undefined {
  if (isOurs(call.name, context) && call.name !== CALL_TOOL) return undefined;
  const inner = isOurs(call.name, context) ? parseCallInput(call.input) : undefined;
  if (inner && !inner.ok) return undefined;
  const { name, args } = inner ? inner.value : { name: call.name, args: call.input };
  const tool = findTool(name, context.round);
  return tool && { tool, args };
}

/**
 * Whether our limits apply to a tool. They apply to tools of servers, not to the agent's own (reading, editing, the
 * terminal).
 */
function isLimited(tool: Tool): boolean {
  return tool.origin === 'mcp';
}
