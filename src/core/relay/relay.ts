import { definitionsLength } from '../accounting';
import { answerCalls, type CallContext } from '../calls';
import type { Catalog } from '../catalog';
import { OWN_TOOLS } from '../delivery';
import { discoveredIds } from '../discovery';
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../modelNames';
import { ModelError, type ModelPort, type SearchPort, type ToolRunner, told, type Usage } from '../ports';
import { assistantItem, collectReply } from '../reply';
import { asObject, guidanceText, ownDefinitions, parseCallInput } from '../searchTools';
import type { Pins, Settings } from '../settings';
import { definitionOf, type TokenMeter } from '../tokens';
import type { Tool } from '../tool';
import { type ToolCall, type Transcript, type TranscriptItem, withoutImages } from '../transcript';
import { type CallerTool, callerCatalog, searchForCaller } from './callerCatalog';
import { planRelay, type RelayPlan } from './planRelay';

/** A request that another agent (a chat mode, an extension) makes of one of our models. */
export interface RelayRequest {
  readonly port: ModelPort;
  /** The caller's own instructions. */
  readonly system: string;
  /** The conversation, with what was kept of earlier replies put back; calls go by the caller's names. */
  readonly transcript: Transcript;
  readonly tools: readonly CallerTool[];
  /** The caller wants a call, not an answer. */
  readonly mustCall: boolean;
  readonly settings: Settings;
  readonly pins: Pins;
}

export interface RelayWorld {
  readonly catalog: () => Catalog;
  readonly search: SearchPort;
  readonly meter: TokenMeter;
  readonly now: () => number;
  /** Hears what the caller can't be told. */
  readonly log: (message: string) => void;
}

/** What the caller gets. */
export interface RelaySink {
  text(delta: string): void;
  call(call: ToolCall): void;
}

export interface RelayOutcome {
  /** The whole reply, as it belongs into the conversation. */
  readonly kept: Transcript;
  /** What of it the caller has seen. */
  readonly visible: { readonly text: string; readonly calls: readonly ToolCall[] };
  /** Of the last model call. */
  readonly usage?: Usage;
}

/**
 * Answers a caller who knows nothing of deferral: tools are deferred by the user's rules, searches are answered in here,
 * and the caller sees text and calls of its own tools alone. Rejects with {@link ModelError} for what the user can mend.
 */
export async function relay(world: RelayWorld, request: RelayRequest, sink: RelaySink, signal: AbortSignal): Promise<RelayOutcome> {
  try {
    return await new Relay(world, request, sink, signal).run();
  } catch (error) {
    // What the service answered has corrected what is known of the model: planned anew, it can work.
    if (!(error instanceof ModelError && error.replan) || signal.aborted) throw error;
    world.log(error.message);
    return new Relay(world, request, sink, signal).run();
  }
}

class Relay {
  readonly #world: RelayWorld;
  readonly #request: RelayRequest;
  readonly #sink: RelaySink;
  readonly #signal: AbortSignal;
  readonly #known: Catalog;
  readonly #catalog: Catalog;
  readonly #kept: TranscriptItem[] = [];
  readonly #calls: ToolCall[] = [];
  #text = '';

  constructor(world: RelayWorld, request: RelayRequest, sink: RelaySink, signal: AbortSignal) {
    this.#world = world;
    this.#request = request;
    this.#sink = sink;
    this.#signal = signal;
    this.#known = world.catalog();
    this.#catalog = callerCatalog(request.port.info.toolCalling ? request.tools : [], this.#known);
  }

  async run(): Promise<RelayOutcome> {
    const { port, settings, pins, transcript, mustCall } = this.#request;
    const plan = planRelay({
      catalog: this.#catalog,
      known: this.#known.byId,
      transcript,
      mustCall,
      settings,
      pins,
      model: port.info,
      definitionTokens: (tools) => this.#world.meter.estimate(definitionsLength(tools)).value,
    });
    if (typeof plan === 'string') throw new ModelError(plan);
    if (plan.note) this.#world.log(plan.note);
    // Each round but the last searched at least once.
    for (let round = 1; round <= settings.toolCallsPerTurn; round++) {
      const { searched, usage } = await this.#round(plan, round);
      if (!searched || this.#calls.length > 0 || this.#signal.aborted)
        return {
          kept: withoutImages(this.#kept),
          visible: { text: this.#text, calls: this.#calls },
          ...(usage ? { usage } : {}),
        };
    }
    throw new ModelError(
      `${port.info.name} searched for tools ${settings.toolCallsPerTurn} times without an answer. Ask again in other words.`,
    );
  }

  /** One model call; `searched` where it asked for a search of ours, which is answered. */
  async #round(plan: RelayPlan, round: number): Promise<{ readonly searched: boolean; readonly usage?: Usage }> {
    const { port } = this.#request;
    const transcript = [...this.#request.transcript, ...this.#kept];
    const deferred = new Set(plan.deferred.map((tool) => tool.id));
    const discovered = new Set([...discoveredIds(transcript, this.#catalog)].filter((id) => deferred.has(id)));
    const reply = await collectReply(
      port.send(
        {
          system: this.#system(plan),
          transcript,
          tools: this.#definitions(plan, discovered),
          delivery: plan.delivery,
          strategy: plan.strategy,
          deferred:
            plan.delivery === 'server' || plan.delivery === 'client' ? plan.deferred.map((tool) => definitionOf(tool).definition) : [],
          required: this.#request.mustCall ? plan.eager.map((tool) => tool.modelName) : [],
        },
        this.#signal,
      ),
      {
        text: (delta) => {
          this.#text += delta;
          this.#sink.text(delta);
        },
        search: () => {},
        warning: (message) => this.#world.log(message),
      },
      transcript.length,
      this.#signal,
    );
    if (reply.failure !== undefined) throw reply.failure;
    this.#kept.push(assistantItem(reply, (name) => this.#catalog.byModelName.get(name)?.id));
    const ours: ToolCall[] = [];
    for (const call of reply.calls) {
      if (deferred.size > 0 && isOurs(call, plan)) ours.push(call);
      else this.#handOver(call, plan);
    }
    if (ours.length > 0) {
      const results = await answerCalls(ours, this.#callContext(plan, round, discovered), this.#signal);
      this.#kept.push({ kind: 'results', results });
    }
    return { searched: ours.length > 0, ...(reply.usage ? { usage: reply.usage } : {}) };
  }

  /** A call of the caller's own tool, by the caller's name for it. */
  #handOver(call: ToolCall, plan: RelayPlan): void {
    const inner = plan.delivery === 'bridge' && call.name === CALL_TOOL ? parseCallInput(call.input) : undefined;
    const { name, args } = inner?.ok ? inner.value : { name: call.name, args: call.input };
    const tool = this.#catalog.byModelName.get(name);
    const handed = { callId: call.callId, name: tool?.invokeName ?? name, input: asObject(args ?? {}) ?? {} };
    this.#calls.push(handed);
    this.#sink.call(handed);
  }

  #system(plan: RelayPlan): string {
    const guidance =
      plan.deferred.length > 0 && this.#request.settings.guidance
        ? guidanceText(plan.deferred.length, [...new Set(plan.deferred.map((tool) => tool.server))], plan.delivery)
        : '';
    return [this.#request.system, guidance].filter(Boolean).join('\n\n');
  }

  #definitions(plan: RelayPlan, discovered: ReadonlySet<string>) {
    const own = plan.deferred.length > 0 ? ownDefinitions(plan.delivery, this.#request.settings) : [];
    const room = this.#request.port.info.maxTools - plan.eager.length - OWN_TOOLS[plan.delivery];
    // Those found first go first where not all fit.
    const inRequest = plan.delivery === 'local' ? [...discovered].slice(-Math.max(room, 1)) : [];
    const found = inRequest.map((id) => this.#catalog.byId.get(id)).filter((tool): tool is Tool => tool !== undefined);
    return [...own, ...[...plan.eager, ...found].map((tool) => definitionOf(tool).definition)];
  }

  #callContext(plan: RelayPlan, round: number, discovered: ReadonlySet<string>): CallContext {
    return {
      round,
      catalog: this.#catalog,
      eager: plan.eager,
      deferred: plan.deferred,
      discovered,
      strategy: this.#request.settings.strategy,
      delivery: plan.delivery,
      settings: this.#request.settings,
      search: searchForCaller(this.#world.search, this.#known, this.#catalog),
      runner: NEVER_RUNS,
      failures: new Map(),
      meter: this.#world.meter,
      now: this.#world.now,
      record: () => {},
      sink: { searching: () => {}, found: () => {}, calling: () => {} },
      warn: this.#world.log,
    };
  }
}

/** Whether a call is answered in here. */
function isOurs(call: ToolCall, plan: RelayPlan): boolean {
  if (plan.delivery === 'server') return false;
  if (call.name === SEARCH_TOOLS) return true;
  // A call that can't be read is answered with what is wrong with it.
  return plan.delivery === 'bridge' && (call.name === DESCRIBE_TOOL || (call.name === CALL_TOOL && !parseCallInput(call.input).ok));
}

/** Tools belong to the caller: only searches are answered in here. */
const NEVER_RUNS: ToolRunner = { run: async () => told('refused', 'This tool is run by the caller.') };
