import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { OWN_TOOLS } from '../planning/delivery';
import { discoveredIds } from '../planning/discovery';
import { guidanceText, ownDefinitions } from '../planning/ownTools';
import { ModelError, type ModelPort, type ProviderSearch, type ToolRunner, told } from '../ports';
import type { SearchPort } from '../search/types';
import type { Pins, Settings } from '../settings/settings';
import { cut } from '../text/cut';
import { asObject } from '../text/objects';
import { definitionsLength, priceRequest, priceTools } from '../tokens/accounting';
import { roundTokens } from '../tokens/arithmetic';
import { definitionOf, type TokenMeter } from '../tokens/tokens';
import { type ToolCall, type Transcript, type TranscriptItem, withoutMedia } from '../transcript/transcript';
import { answerCalls, type CallContext } from '../turn/calls';
import { recordProviderSearch } from '../turn/recordSearch';
import { assistantItem, collectReply } from '../turn/reply';
import { parseCallInput } from '../turn/searchTools';
import { TurnCalls } from '../turn/turnCalls';
import { type CallerTool, callerCatalog, searchForCaller } from './callerCatalog';
import { planRelay, type RelayPlan } from './planRelay';
import { LOGGED_CHARS, questionKey, type RelayTurn, type RelayTurns, recordResults } from './relayTurns';

/** A request that another agent (a chat mode, an extension) makes of one of our models. */
export interface RelayRequest {
  readonly port: ModelPort;
  /** Counts for this model. */
  readonly meter: TokenMeter;
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
  readonly turns: RelayTurns;
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
}

/**
 * Answers a caller who knows nothing of deferral: tools are deferred by the user's rules, searches are answered in here,
 * and the caller sees text and calls of its own tools alone. Rejects with {@link ModelError} for what the user can mend.
 */
export async function relay(world: RelayWorld, request: RelayRequest, sink: RelaySink, signal: AbortSignal): Promise<RelayOutcome> {
  const key = questionKey(request.port.info.id, request.transcript);
  try {
    const outcome = await answer(world, request, sink, signal, key);
    if (signal.aborted) world.turns.end(key, 'cancelled');
    else if (outcome.visible.calls.length > 0) world.turns.wait(key);
    else world.turns.end(key, 'answered');
    return outcome;
  } catch (error) {
    if (signal.aborted) world.turns.end(key, 'cancelled');
    else world.turns.end(key, 'failed', error instanceof ModelError ? error.message : 'An internal error ended the turn.');
    throw error;
  }
}

async function answer(world: RelayWorld, request: RelayRequest, sink: RelaySink, signal: AbortSignal, key: string): Promise<RelayOutcome> {
  try {
    return await new Relay(world, request, sink, signal, key).run();
  } catch (error) {
    // What the service answered has corrected what is known of the model: planned anew, it can work.
    if (!(error instanceof ModelError && error.replan) || signal.aborted) throw error;
    world.log(error.message);
    return new Relay(world, request, sink, signal, key).run();
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
  readonly #key: string;
  #text = '';

  constructor(world: RelayWorld, request: RelayRequest, sink: RelaySink, signal: AbortSignal, key: string) {
    this.#key = key;
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
      definitionTokens: (tools) => this.#request.meter.estimate(definitionsLength(tools)).value,
    });
    if (typeof plan === 'string') throw new ModelError(plan);
    if (plan.note) this.#world.log(plan.note);
    const turn = this.#enter(plan);
    // Each round but the last searched at least once.
    for (let rounds = 1; rounds <= settings.toolCallsPerTurn; rounds++) {
      const searched = await this.#round(plan, turn);
      if (!searched || this.#calls.length > 0 || this.#signal.aborted)
        return { kept: withoutMedia(this.#kept), visible: { text: this.#text, calls: this.#calls } };
    }
    throw new ModelError(
      `${port.info.name} searched for tools ${settings.toolCallsPerTurn} times without an answer. Ask again in other words.`,
    );
  }

  /** The question's turn in the ledger, with what came of the calls that its last reply made. Without tools there is none: that is no agent. */
  #enter(plan: RelayPlan): RelayTurn {
    const { port, transcript, tools } = this.#request;
    const none: RelayTurn = { record: () => {}, handed: new Map(), rounds: 0 };
    if (tools.length === 0) return none;
    const discovered = discoveredIds(transcript, this.#catalog);
    const turn = this.#world.turns.enter(this.#key, transcript, () => ({
      type: 'turnStarted',
      prompt: cut(transcript.findLast((item) => item.kind === 'user')?.text.trim() ?? '', LOGGED_CHARS),
      model: { id: port.info.id, vendor: port.info.vendor, name: port.info.name },
      strategy: plan.strategy,
      delivery: { name: plan.delivery.name, why: `${plan.delivery.why}; for another agent of VS Code` },
      counts: this.#counts(plan, discovered),
    }));
    recordResults(turn, transcript, this.#world.now());
    return turn;
  }

  #counts(plan: RelayPlan, discovered: ReadonlySet<string>) {
    const found = plan.deferred.filter((tool) => discovered.has(tool.id)).length;
    return { eager: plan.eager.length, discovered: found, deferred: plan.deferred.length - found };
  }

  /** One model call; true where it asked for a search of ours, which is answered. */
  async #round(plan: RelayPlan, turn: RelayTurn): Promise<boolean> {
    const { port, settings, meter } = this.#request;
    const round = ++turn.rounds;
    const transcript = [...this.#request.transcript, ...this.#kept];
    const deferred = new Set(plan.deferred.map((tool) => tool.id));
    const discovered = new Set([...discoveredIds(transcript, this.#catalog)].filter((id) => deferred.has(id)));
    const context = this.#callContext(plan, turn, discovered);
    const native = plan.delivery.name === 'server' || plan.delivery.name === 'client';
    const own = deferred.size > 0 ? ownDefinitions(plan.delivery.name, settings) : [];
    const inSight = plan.delivery.name === 'bridge' ? [] : this.#tools(native ? discovered : this.#withinLimit(plan, discovered));
    const guidance = this.#guidance(plan);
    const all = [...plan.eager, ...plan.deferred];
    turn.record({ type: 'roundStarted', round, counts: this.#counts(plan, discovered) });

    const started = this.#world.now();
    const seen = new Set(discovered);
    const events = port.send(
      {
        system: [this.#request.system, guidance].filter(Boolean).join('\n\n'),
        transcript,
        tools: [...own, ...(native ? plan.eager : [...plan.eager, ...inSight]).map(definition)],
        delivery: plan.delivery.name,
        strategy: plan.strategy.name,
        deferred: native ? plan.deferred.map(definition) : [],
        required: this.#request.mustCall ? plan.eager.map((tool) => tool.modelName) : [],
      },
      this.#signal,
    );
    const hear = {
      text: (delta: string) => {
        this.#text += delta;
        this.#sink.text(delta);
      },
      search: (search: ProviderSearch) => recordProviderSearch(search, seen, context),
      warning: context.warn,
    };
    const [reply, prices] = await Promise.all([
      collectReply(events, hear, transcript.length, this.#signal),
      priceRequest({ transcript, guidance, own, eager: plan.eager, discovered: inSight, all }, port, meter, this.#signal),
    ]);
    const expanded =
      native && seen.size > discovered.size ? await priceTools('discovered', this.#tools(seen), port, meter, this.#signal) : undefined;
    turn.record({
      type: 'roundEnded',
      round,
      ms: this.#world.now() - started,
      tokens: roundTokens(prices, reply.usage, expanded),
      ...(reply.usage ? { outputTokens: { value: reply.usage.outputTokens, certainty: 'measured' as const } } : {}),
    });
    if (reply.failure !== undefined) throw reply.failure;
    this.#kept.push(assistantItem(reply, (name) => this.#catalog.byModelName.get(name)?.id));
    const ours = reply.calls.filter((call) => deferred.size > 0 && isOurs(call, plan));
    for (const call of reply.calls) if (!ours.includes(call)) this.#handOver(call, plan, turn, seen);
    if (ours.length > 0) this.#kept.push({ kind: 'results', results: await answerCalls(ours, context, this.#signal) });
    return ours.length > 0;
  }

  /** A call of the caller's own tool, by the caller's name for it. */
  #handOver(call: ToolCall, plan: RelayPlan, turn: RelayTurn, discovered: ReadonlySet<string>): void {
    const inner = plan.delivery.name === 'bridge' && call.name === CALL_TOOL ? parseCallInput(call.input) : undefined;
    const { name, args } = inner?.ok ? inner.value : { name: call.name, args: call.input };
    const tool = this.#catalog.byModelName.get(name);
    const handed = { callId: call.callId, name: tool?.invokeName ?? name, input: asObject(args ?? {}) ?? {} };
    this.#calls.push(handed);
    turn.handed.set(call.callId, {
      tool: tool?.id ?? name,
      known: tool !== undefined,
      args: handed.input,
      withoutDiscovery: tool !== undefined && plan.deferred.includes(tool) && !discovered.has(tool.id),
      at: this.#world.now(),
    });
    this.#sink.call(handed);
  }

  #guidance({ deferred, delivery }: RelayPlan): string {
    return deferred.length > 0 && this.#request.settings.guidance
      ? guidanceText(deferred.length, [...new Set(deferred.map((tool) => tool.server))], delivery.name)
      : '';
  }

  /** The newest discoveries that fit under the model's limit. */
  #withinLimit(plan: RelayPlan, discovered: ReadonlySet<string>): Iterable<string> {
    const room = this.#request.port.info.maxTools - plan.eager.length - OWN_TOOLS[plan.delivery.name];
    return discovered.size <= room ? discovered : [...discovered].slice(-Math.max(room, 1));
  }

  #tools(ids: Iterable<string>): readonly Tool[] {
    return [...ids].map((id) => this.#catalog.byId.get(id)).filter((tool): tool is Tool => tool !== undefined);
  }

  #callContext(plan: RelayPlan, turn: RelayTurn, discovered: ReadonlySet<string>): CallContext {
    return {
      round: turn.rounds,
      catalog: this.#catalog,
      eager: plan.eager,
      deferred: plan.deferred,
      discovered,
      strategy: this.#request.settings.strategy,
      delivery: plan.delivery.name,
      settings: this.#request.settings,
      search: searchForCaller(this.#world.search, this.#known, this.#catalog),
      runner: NEVER_RUNS,
      calls: new TurnCalls(this.#request.settings),
      meter: this.#request.meter,
      now: this.#world.now,
      record: turn.record,
      sink: { searching: () => {}, found: () => {}, calling: () => {} },
      warn: (message) => {
        turn.record({ type: 'warned', message });
        this.#world.log(message);
      },
    };
  }
}

function definition(tool: Tool): ToolDefinition {
  return definitionOf(tool).definition;
}

/** Whether a call is answered in here. */
function isOurs(call: ToolCall, plan: RelayPlan): boolean {
  if (plan.delivery.name === 'server') return false;
  if (call.name === SEARCH_TOOLS) return true;
  // A call that can't be read is answered with what is wrong with it.
  return plan.delivery.name === 'bridge' && (call.name === DESCRIBE_TOOL || (call.name === CALL_TOOL && !parseCallInput(call.input).ok));
}

/** Tools belong to the caller: only searches are answered in here. */
const NEVER_RUNS: ToolRunner = { run: async () => told('refused', 'This tool is run by the caller.') };
