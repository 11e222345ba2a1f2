import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { chooseStrategy } from '../planning/delivery';
import { discoveredIds } from '../planning/discovery';
import { type PlanInputs, planTools, type Setup } from '../planning/turnPlan';
import type { ToolRun } from '../ports';
import { cut } from '../text/cut';
import { asObject } from '../text/objects';
import type { CallOutcome, ToolCall, ToolResult, TranscriptItem } from '../transcript/transcript';
import { answerCalls, type CallDeps, isOurs } from '../turn/calls';
import { type Driver, loadingCounts } from '../turn/round';
import { parseCallInput } from '../turn/searchTools';
import type { RelayRequest, RelaySink } from './relayRequest';
import { LOGGED_CHARS, questionOf, type RelayTurn, recordResults } from './relayTurns';

export interface RelayDriverDeps {
  readonly request: RelayRequest;
  /** The caller's tools. */
  readonly catalog: Catalog;
  /** Ours: what our index knows. */
  readonly known: Catalog;
  readonly turn: RelayTurn;
  readonly sink: RelaySink;
  /** What the user should know of how the turn was prepared. */
  readonly warnings: readonly string[];
  readonly log: (message: string) => void;
  readonly now: () => number;
  readonly outcomeOf?: ((text: string) => CallOutcome) | undefined;
}

/** A request of another agent: its tools are its own to run, and it hears text alone. */
export class RelayDriver implements Driver {
  readonly #deps: RelayDriverDeps;
  readonly items: TranscriptItem[] = [];
  readonly sink: Driver['sink'];
  /** Calls that the caller is to run, by its names. */
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
      transcript: [...transcript, ...this.items],
      caller: { system, known: known.byId, mustCall },
    };
  }

  begin(planned: Setup | string): void {
    const { request, catalog, turn, now, outcomeOf, warnings } = this.#deps;
    const { settings, port, transcript } = request;
    const failed = typeof planned === 'string';
    const plan = failed ? planTools(this.inputs()) : planned.plan;
    const delivery = failed ? { name: settings.delivery, why: planned } : planned.delivery;
    turn.begin(() => ({
      type: 'turnStarted',
      prompt: cut(questionOf(transcript), LOGGED_CHARS),
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy: failed ? chooseStrategy(settings, delivery.name, port.info) : planned.strategy,
      delivery: { name: delivery.name, why: `${delivery.why}; for another agent of VS Code` },
      counts: loadingCounts(plan.eager, plan.deferred, discoveredIds(transcript, catalog)),
    }));
    recordResults(turn, transcript, now(), outcomeOf);
    for (const warning of warnings) this.warn(warning);
  }

  nextRound(): number {
    return ++this.#deps.turn.rounds;
  }

  warn(message: string, once?: 'once'): void {
    const { turn, log } = this.#deps;
    if (once && turn.warned(message)) return;
    turn.record({ type: 'warned', message });
    log(message);
  }

  /** Searches are answered here; all else goes to the caller, unless a limit says no. */
  async answer(
    calls: readonly ToolCall[],
    deps: CallDeps,
    signal: AbortSignal,
  ): Promise<{ results: readonly ToolResult[]; open: boolean }> {
    const ours = calls.filter((call) => isAnswered(call, deps));
    const refused: ToolResult[] = [];
    const before = this.handed.length;
    for (const call of calls) {
      if (ours.includes(call)) continue;
      const refusal = this.#handOver(call, deps);
      if (refusal) refused.push({ callId: call.callId, ...refusal });
    }
    const results = await answerCalls(ours, deps, signal);
    return { results: [...results, ...refused], open: this.handed.length > before };
  }

  /** A call of the caller's own tool, by the caller's name for it; what is returned is why it may not be made. */
  #handOver(call: ToolCall, { delivery, deferred, discovered }: CallDeps): ToolRun | undefined {
    const { catalog, turn, sink, now } = this.#deps;
    const inner = delivery === 'bridge' && call.name === CALL_TOOL ? parseCallInput(call.input) : undefined;
    const { name, args } = inner?.ok ? inner.value : { name: call.name, args: call.input };
    const tool = catalog.byModelName.get(name);
    const refusal = tool && isLimited(tool) ? turn.calls.admit(tool) : undefined;
    if (refusal) return refusal;
    const handed = { callId: call.callId, name: tool?.invokeName ?? name, input: asObject(args ?? {}) ?? {} };
    this.handed.push(handed);
    turn.handed.set(call.callId, {
      tool: tool?.id ?? name,
      known: tool !== undefined,
      limited: tool !== undefined && isLimited(tool),
      args: handed.input,
      withoutDiscovery: tool !== undefined && deferred.includes(tool) && !discovered.has(tool.id),
      at: now(),
    });
    sink.call(handed);
    return undefined;
  }
}

/** An agent's own tools (reading, editing, the terminal) are its own business: our limits are about those of servers. */
function isLimited(tool: Tool): boolean {
  return tool.origin === 'mcp';
}

/** Whether a call is answered in here. One of `call_tool` that can't be read is answered with what is wrong with it. */
function isAnswered(call: ToolCall, deps: CallDeps): boolean {
  return isOurs(call.name, deps) && !(call.name === CALL_TOOL && parseCallInput(call.input).ok);
}
