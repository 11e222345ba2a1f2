import { RUN_CODE } from '../../core/catalog/modelNames';
import { type EventOf, eventsOf, type LedgerEvent } from '../../core/ledger/events';
import { type TurnFigures, turnFigures } from '../../core/ledger/turnFigures';
import { sumTokens } from '../../core/usage/tokens';
import { toolsInRequest } from '../../core/usage/toolsInRequest';
import { attributesOf, nanos, newId, type OtlpSpan, SPAN_KIND, type SpanEvent, STATUS, type Values } from './otlp';
import {
  callValues,
  discoveredValues,
  messagesOf,
  modelValues,
  scriptValues,
  searchValues,
  tokenValues,
  usageValues,
} from './spanValues';

/** The trace, name, kind and times of a span. Times are in milliseconds of the ledger's clock. */
type Frame = Pick<OtlpSpan, 'traceId' | 'name' | 'kind'> & {
  readonly parentSpanId?: string;
  readonly from: number;
  readonly until: number;
  /** The kind of failure; false or undefined if it didn't fail. */
  readonly error?: string | false | undefined;
};

const AGENT = 'toolsearch';

/**
 * Returns a turn's spans for OTLP exports, parents first. `invoke_agent` is the turn, `chat` a model call, and
 * `execute_tool` a search, a call or a script of that model call. A script's spans are below it. Discoveries and
 * warnings are events of these spans.
 */
export function turnSpans(recorded: readonly LedgerEvent[], contents: boolean): OtlpSpan[] {
  const figures = turnFigures(recorded);
  return figures ? new TurnSpans(figures, contents).spans : [];
}

class TurnSpans {
  readonly #figures: TurnFigures;
  readonly #contents: boolean;
  readonly #until: number;
  readonly spans: OtlpSpan[] = [];

  constructor(figures: TurnFigures, contents: boolean) {
    const { events, ended } = figures;
    this.#figures = figures;
    this.#contents = contents;
    this.#until = ended?.at ?? Math.max(...events.map((event) => event.at));
    const turn = this.#turn();
    const asked = eventsOf(events, 'roundStarted');
    for (const round of asked) this.#round(round, turn);
    // The requests of other agents are unknown.
    if (asked.length === 0) this.#tools(events, turn);
  }

  #add({ from, until, error, ...frame }: Frame, values: Values, events?: readonly SpanEvent[]): OtlpSpan {
    const span: OtlpSpan = {
      ...frame,
      spanId: newId(8),
      startTimeUnixNano: nanos(from),
      endTimeUnixNano: nanos(until),
      attributes: attributesOf({ ...values, 'error.type': error || undefined }),
      ...(events ? { events } : {}),
      status: { code: error ? STATUS.error : STATUS.unset },
    };
    this.spans.push(span);
    return span;
  }

  #turn(): OtlpSpan {
    const { events, started, ended, rounds, net } = this.#figures;
    const { sent, baseline } = this.#figures.tokens;
    const known = rounds.flatMap((round) => round.outputTokens ?? []);
    const frame: Frame = {
      traceId: newId(16),
      name: `invoke_agent ${AGENT}`,
      kind: SPAN_KIND.internal,
      from: started.at,
      until: this.#until,
      error: ended?.status === 'failed' && 'failed',
    };
    const values = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': AGENT,
      'gen_ai.conversation.id': started.chat,
      ...modelValues(started),
      'gen_ai.usage.input_tokens': sent.value,
      'gen_ai.usage.output_tokens': known.length > 0 ? sumTokens(known).value : undefined,
      'gen_ai.input.messages': this.#contents ? messagesOf(started.prompt) : undefined,
      'toolsearch.turn': started.turn,
      'toolsearch.agent': started.agent,
      'toolsearch.status': ended?.status ?? 'running',
      'toolsearch.strategy.name': started.strategy.name,
      'toolsearch.strategy.why': started.strategy.why,
      'toolsearch.delivery.name': started.delivery.name,
      'toolsearch.delivery.why': started.delivery.why,
      ...this.#toolCounts(started.counts),
      ...tokenValues('sent', sent),
      ...tokenValues('baseline', baseline),
      'toolsearch.tokens.net_saved': net.value,
      'toolsearch.message': this.#contents ? ended?.message : undefined,
    };
    const warnings = eventsOf(events, 'warned').map((it) =>
      spanEvent(it, 'toolsearch.warning', { 'toolsearch.message': this.#contents ? it.message : undefined }),
    );
    return this.#add(frame, values, warnings);
  }

  #round(round: EventOf<'roundStarted'>, turn: OtlpSpan): void {
    const { events, started, asksModel } = this.#figures;
    const own = events.filter((event) => 'round' in event && event.round === round.round);
    const ended = own.find((event) => event.type === 'roundEnded');
    const frame: Frame = {
      ...childOf(turn),
      name: `chat ${started.model.id}`,
      kind: SPAN_KIND.client,
      from: ended ? ended.at - ended.ms : round.at,
      until: ended?.at ?? this.#until,
    };
    const values = {
      'gen_ai.operation.name': 'chat',
      ...modelValues(started),
      ...(ended && asksModel && usageValues(ended)),
      'toolsearch.round': round.round,
      ...this.#toolCounts(round.counts),
    };
    const found = eventsOf(own, 'discovered').map((it) => spanEvent(it, 'toolsearch.discovered', discoveredValues(it)));
    this.#tools(own, this.#add(frame, values, found));
  }

  /** Adds the searches, scripts and calls of a model call, or of another agent's turn. */
  #tools(own: readonly LedgerEvent[], around: OtlpSpan): void {
    const scripts = new Map<string, OtlpSpan>();
    for (const event of own)
      if (event.type === 'scriptStarted') scripts.set(event.callId, this.#script(event, own, around));
    for (const event of own) {
      const parent = ('script' in event && event.script !== undefined && scripts.get(event.script)) || around;
      if (event.type === 'searched') this.#tool(event, parent, event.failed && 'failed');
      if (event.type === 'called') this.#tool(event, parent, event.outcome !== 'ok' && event.outcome);
    }
  }

  #tool(event: EventOf<'searched'> | EventOf<'called'>, parent: OtlpSpan, error: string | false | undefined): void {
    const values = event.type === 'searched' ? searchValues(event, this.#contents) : callValues(event, this.#contents);
    const frame = { ...childOf(parent), ...execution(values), from: event.at - event.ms, until: event.at, error };
    this.#add(frame, { ...TOOL, 'gen_ai.tool.call.id': event.callId, ...values });
  }

  /** Adds a script with its searches and calls as children. A script without an end lasts until the end of its turn. */
  #script(started: EventOf<'scriptStarted'>, events: readonly LedgerEvent[], parent: OtlpSpan): OtlpSpan {
    const ended = eventsOf(events, 'scriptEnded').find(({ callId }) => callId === started.callId);
    const values = {
      ...TOOL,
      'gen_ai.tool.name': RUN_CODE,
      'gen_ai.tool.call.id': started.callId,
      ...scriptValues(started, ended, this.#contents),
    };
    const frame: Frame = {
      ...childOf(parent),
      ...execution(values),
      from: ended ? ended.at - ended.ms : started.at,
      until: ended?.at ?? Math.max(this.#until, started.at),
      error: ended ? ended.outcome !== 'ok' && ended.outcome : 'cancelled',
    };
    return this.#add(frame, values);
  }

  #toolCounts(counts: EventOf<'turnStarted'>['counts']): Values {
    return {
      'toolsearch.tools.eager': counts.eager,
      'toolsearch.tools.discovered': counts.discovered,
      'toolsearch.tools.deferred': counts.deferred,
      'toolsearch.tools.in_request': toolsInRequest(counts, this.#figures.started.delivery.name).inRequest,
    };
  }
}

const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.type': 'function' };

function childOf({ traceId, spanId }: OtlpSpan) {
  return { traceId, parentSpanId: spanId };
}

function execution(values: Values): Pick<Frame, 'name' | 'kind'> {
  return { name: `execute_tool ${values['gen_ai.tool.name']}`, kind: SPAN_KIND.internal };
}

function spanEvent(event: LedgerEvent, name: string, values: Values): SpanEvent {
  return { timeUnixNano: nanos(event.at), name, attributes: attributesOf(values) };
}
