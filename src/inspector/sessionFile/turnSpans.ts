import { RUN_CODE } from '../../core/catalog/modelNames';
import { asRun } from '../../core/ledger/asRun';
import type { EventOf, LedgerEvent } from '../../core/ledger/events';
import { helpful } from '../../core/ledger/helpful';
import { asksNoModel, turnTokens } from '../../core/ledger/turnTokens';
import { balanceOf, sumRounds } from '../../core/usage/arithmetic';
import { toolsInRequest } from '../../core/usage/inRequest';
import { sumTokens } from '../../core/usage/tokens';
import { attributesOf, nanos, SPAN_KIND, type Span, type SpanEvent, STATUS, type Values } from './otlp';
import {
  callValues,
  messagesOf,
  modelValues,
  scriptValues,
  searchValues,
  tokenValues,
  usageValues,
} from './spanValues';

interface Options {
  readonly contents: boolean;
  readonly newId: (bytes: number) => string;
}

const AGENT = 'toolsearch';
/**
 * A turn's spans, parents first: `invoke_agent` is the turn, `chat` a model call, `execute_tool` a search or a call
 * that the model asked for in it, a script with its own below it. Discoveries and warnings are events of these.
 */
export function turnSpans(recorded: readonly LedgerEvent[], options: Options): Span[] {
  const events = asRun(recorded);
  const started = events.find((event) => event.type === 'turnStarted');
  if (!started) return [];
  const ended = events.find((event) => event.type === 'turnEnded');
  const traceId = options.newId(16);
  const until = ended?.at ?? Math.max(...events.map((event) => event.at));
  const turn = turnSpan(events, started, ended, until, traceId, options);
  const spans = [turn];
  for (const round of events) {
    if (round.type !== 'roundStarted') continue;
    const own = events.filter((event) => 'round' in event && event.round === round.round);
    const chat = roundSpan(own, round, started, until, turn, options);
    spans.push(chat);
    const scripts = new Map<string, Span>();
    for (const event of own) {
      if (event.type !== 'scriptStarted') continue;
      const span = scriptSpan(event, own, until, chat, options);
      scripts.set(event.callId, span);
      spans.push(span);
    }
    for (const event of own) {
      const parent = ('script' in event && event.script !== undefined && scripts.get(event.script)) || chat;
      if (event.type === 'searched')
        spans.push(toolSpan(event, searchValues(event, options.contents), parent, options, event.failed && 'failed'));
      if (event.type === 'called') {
        spans.push(
          toolSpan(
            event,
            callValues(event, options.contents),
            parent,
            options,
            event.outcome !== 'ok' && event.outcome,
          ),
        );
      }
    }
  }
  return spans;
}

function turnSpan(
  events: readonly LedgerEvent[],
  started: EventOf<'turnStarted'>,
  ended: EventOf<'turnEnded'> | undefined,
  until: number,
  traceId: string,
  { contents, newId }: Options,
): Span {
  const rounds = events.filter((event) => event.type === 'roundEnded');
  const known = rounds.flatMap((round) => (round.outputTokens ? [round.outputTokens] : []));
  const sums = sumRounds(turnTokens(events));
  const { sent, baseline } = sums;
  return {
    traceId,
    spanId: newId(8),
    name: `invoke_agent ${AGENT}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: nanos(started.at),
    endTimeUnixNano: nanos(until),
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': AGENT,
      ...modelValues(started),
      'gen_ai.usage.input_tokens': sent.value,
      'gen_ai.usage.output_tokens': known.length > 0 ? sumTokens(known).value : undefined,
      'gen_ai.input.messages': contents ? messagesOf(started.prompt) : undefined,
      'error.type': ended?.status === 'failed' ? 'failed' : undefined,
      'toolsearch.turn': started.turn,
      'toolsearch.status': ended?.status ?? 'running',
      'toolsearch.helpful': helpful(events),
      'toolsearch.strategy.name': started.strategy.name,
      'toolsearch.strategy.why': started.strategy.why,
      'toolsearch.delivery.name': started.delivery.name,
      'toolsearch.delivery.why': started.delivery.why,
      'toolsearch.tools.eager': started.counts.eager,
      'toolsearch.tools.discovered': started.counts.discovered,
      'toolsearch.tools.deferred': started.counts.deferred,
      'toolsearch.tools.in_request': toolsInRequest(started.counts, started.delivery.name).inRequest,
      ...tokenValues('sent', sent),
      ...tokenValues('baseline', baseline),
      'toolsearch.tokens.net_saved': balanceOf(sums).net.value,
      'toolsearch.message': contents ? ended?.message : undefined,
    }),
    events: events.flatMap((event) =>
      event.type === 'warned'
        ? [spanEvent(event, 'toolsearch.warning', { 'toolsearch.message': contents ? event.message : undefined })]
        : [],
    ),
    status: { code: ended?.status === 'failed' ? STATUS.error : STATUS.unset },
  };
}

function roundSpan(
  events: readonly LedgerEvent[],
  started: EventOf<'roundStarted'>,
  turn: EventOf<'turnStarted'>,
  until: number,
  parent: Span,
  { newId }: Options,
): Span {
  const ended = events.find((event) => event.type === 'roundEnded');
  return {
    traceId: parent.traceId,
    spanId: newId(8),
    parentSpanId: parent.spanId,
    name: `chat ${turn.model.id}`,
    kind: SPAN_KIND.client,
    startTimeUnixNano: nanos(ended ? ended.at - ended.ms : started.at),
    endTimeUnixNano: nanos(ended?.at ?? until),
    attributes: attributesOf({
      'gen_ai.operation.name': 'chat',
      ...modelValues(turn),
      ...(ended && !asksNoModel(turn) && usageValues(ended)),
      'toolsearch.round': started.round,
      'toolsearch.tools.eager': started.counts.eager,
      'toolsearch.tools.discovered': started.counts.discovered,
      'toolsearch.tools.deferred': started.counts.deferred,
      'toolsearch.tools.in_request': toolsInRequest(started.counts, turn.delivery.name).inRequest,
    }),
    events: events.flatMap((event) =>
      event.type === 'discovered'
        ? [
            spanEvent(event, 'toolsearch.discovered', {
              'toolsearch.discovered.tools': event.ids,
              ...tokenValues('discovered', event.tokens),
            }),
          ]
        : [],
    ),
    status: { code: STATUS.unset },
  };
}

function toolSpan(
  event: EventOf<'searched'> | EventOf<'called'>,
  values: Values,
  parent: Span,
  { newId }: Options,
  error: string | false,
): Span {
  return {
    traceId: parent.traceId,
    spanId: newId(8),
    parentSpanId: parent.spanId,
    name: `execute_tool ${values['gen_ai.tool.name']}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: nanos(event.at - event.ms),
    endTimeUnixNano: nanos(event.at),
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.id': event.callId,
      'gen_ai.tool.type': 'function',
      ...values,
      'error.type': error || undefined,
    }),
    status: { code: error ? STATUS.error : STATUS.unset },
  };
}

/**
 * A script is a tool's run, with its searches and calls as children; one that never ended lasts as long as its
 * turn.
 */
function scriptSpan(
  started: EventOf<'scriptStarted'>,
  events: readonly LedgerEvent[],
  until: number,
  parent: Span,
  { contents, newId }: Options,
): Span {
  const ended = events.find(
    (event): event is EventOf<'scriptEnded'> => event.type === 'scriptEnded' && event.callId === started.callId,
  );
  const error = ended ? ended.outcome !== 'ok' && ended.outcome : 'cancelled';
  return {
    traceId: parent.traceId,
    spanId: newId(8),
    parentSpanId: parent.spanId,
    name: `execute_tool ${RUN_CODE}`,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: nanos(ended ? ended.at - ended.ms : started.at),
    endTimeUnixNano: nanos(ended?.at ?? Math.max(until, started.at)),
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': RUN_CODE,
      'gen_ai.tool.call.id': started.callId,
      'gen_ai.tool.type': 'function',
      ...scriptValues(started, ended, contents),
      'error.type': error || undefined,
    }),
    status: { code: error ? STATUS.error : STATUS.unset },
  };
}

function spanEvent(event: LedgerEvent, name: string, values: Values): SpanEvent {
  return { timeUnixNano: nanos(event.at), name, attributes: attributesOf(values) };
}
