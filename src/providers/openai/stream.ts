import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { SEARCH_TOOLS } from '../../core/catalog/modelNames';
import type { Json } from '../../core/catalog/tool';
import { type ModelEvent, PROVIDER_STRATEGY, type Usage } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { asObject, isObject } from '../../core/util/objects';
import { brokenOff, type ErrorContext } from '../failures';
import { callerOf } from './code';
import { foundFunctions } from './foundTools';
import { failedResponse } from './recognizeRefusal';

/** An item in the form in which it is sent back. */
export type StoredItem = { readonly [key: string]: unknown };

/** The fields that the service accepts, for each kind of item. Items of unknown kinds are sent back unchanged. */
export const REPLAYED: { readonly [type: string]: readonly string[] } = {
  message: ['id', 'type', 'role', 'status', 'content', 'phase'],
  reasoning: ['id', 'type', 'summary', 'content', 'encrypted_content', 'status'],
  function_call: ['id', 'type', 'call_id', 'name', 'namespace', 'arguments', 'status', 'caller'],
  program: ['id', 'type', 'call_id', 'code', 'fingerprint'],
  program_output: ['id', 'type', 'call_id', 'result', 'status'],
  tool_search_call: ['id', 'type', 'call_id', 'arguments', 'execution', 'status'],
  tool_search_output: ['id', 'type', 'call_id', 'tools', 'execution', 'status'],
};

/** Whether a value is an item of a reply. Some gateways send damaged ones. */
export function isItem(value: unknown): value is ResponseOutputItem {
  return isObject(value) && typeof value.type === 'string';
}

/**
 * Reads a reply streamed by the Responses API. Unknown events and items are skipped.
 * @param said the items of the reply so far, if the reply is continued; they are stored with the new ones
 * @returns all items so far if the reply must be continued, since a program has neither called a tool nor written text
 * @throws {ModelError} if the service reports a failure, or the stream ends before the reply does
 */
export async function* readReply(
  events: AsyncIterable<ResponseStreamEvent>,
  asked: ErrorContext,
  signal: AbortSignal,
  said: readonly StoredItem[],
): AsyncGenerator<ModelEvent, readonly StoredItem[] | undefined> {
  let written = false;
  let fresh = true;
  const items: ResponseOutputItem[] = [];
  let search: { readonly callId: string; readonly queries: readonly string[] } = { callId: '', queries: [] };
  for await (const event of events) {
    switch (event.type) {
      case 'response.created':
        // Only one attempt can be sent back.
        if (items.length > 0) yield { type: 'restarted' };
        items.length = 0;
        break;
      case 'response.output_item.added':
        fresh = true;
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        // Separates the texts of different items by an empty line.
        yield { type: 'text', text: written && fresh ? `\n\n${event.delta}` : event.delta };
        written = true;
        fresh = false;
        break;
      case 'response.output_item.done': {
        const { item } = event;
        items.push(item);
        if (item.type === 'tool_search_call' && item.execution !== 'client')
          search = { callId: item.id, queries: queriesOf(item.arguments) };
        else yield* eventsOf(item, search);
        break;
      }
      case 'response.completed':
      case 'response.incomplete':
        return yield* endOf(event.response, items, asked, said);
      case 'response.failed':
        if (event.response.usage) yield { type: 'usage', usage: usageOf(event.response.usage) };
        throw failedResponse(event.response.error, asked);
      case 'error':
        throw failedResponse(event, asked);
    }
  }
  // The SDK ends an aborted stream without an error.
  if (!signal.aborted) throw brokenOff(asked.name);
  return undefined;
}

/** @param search the provider's last search */
function* eventsOf(
  item: ResponseOutputItem,
  search: { readonly callId: string; readonly queries: readonly string[] },
): Generator<ModelEvent> {
  switch (item.type) {
    case 'function_call':
      if (item.status !== 'incomplete') yield callEvent(item);
      break;
    case 'program':
      yield { type: 'code', callId: String(item.call_id), code: String(item.code) };
      break;
    case 'program_output':
      yield {
        type: 'codeEnded',
        callId: String(item.call_id),
        ok: item.status === 'completed',
        output: String(item.result),
      };
      break;
    case 'tool_search_call':
      // The id of our search may have been different when the search began. The final id is used.
      yield { type: 'call', callId: item.call_id ?? item.id, name: SEARCH_TOOLS, input: item.arguments };
      break;
    case 'tool_search_output': {
      if (item.execution === 'client') break;
      const found = foundFunctions(item.tools).map(({ name }) => name);
      yield { type: 'search', search: { ...search, strategy: PROVIDER_STRATEGY, found } };
      break;
    }
  }
}

function callEvent(item: ResponseFunctionToolCall): ModelEvent {
  const caller = callerOf({ ...item });
  const input = asObject(item.arguments) ?? item.arguments;
  return { type: 'call', callId: item.call_id, name: item.name, input, ...(caller === undefined ? {} : { caller }) };
}

const PROGRAM_PARTS = new Set<unknown>(['program', 'program_output']);

function isFinished(item: ResponseOutputItem): boolean {
  return !('status' in item && item.status === 'incomplete');
}

function* endOf(
  response: Response,
  items: readonly ResponseOutputItem[],
  { model, name }: ErrorContext,
  said: readonly StoredItem[],
): Generator<ModelEvent, readonly StoredItem[] | undefined> {
  if (response.usage) yield { type: 'usage', usage: usageOf(response.usage) };
  const { prompt_cache_diagnostics: cache, id } = response;
  if (cache?.type === 'cache_miss' && typeof cache.reason === 'string')
    yield { type: 'cacheMiss', reason: cache.reason };
  const opaque = (value: readonly StoredItem[]): ModelEvent => ({
    type: 'opaque',
    block: { wire: 'openai', model, value: value as Json, ...(typeof id === 'string' ? { id } : {}) },
  });
  if (response.status === 'incomplete') {
    const why = response.incomplete_details?.reason;
    // A program continues after its calls only if it is sent back. Otherwise the model would write it again.
    const finished = [...said, ...(playedBack(items.filter(isFinished)) ?? [])];
    // The service accepts reasoning only if the item that followed it is sent too.
    const begun = finished.slice(0, finished.findLastIndex(({ type }) => type !== 'reasoning') + 1);
    if (begun.some((item) => PROGRAM_PARTS.has(item.type) || callerOf(item) !== undefined)) yield opaque(begun);
    yield {
      type: 'warning',
      message:
        why === 'content_filter'
          ? l10n.t("The service's content filter stopped the answer of {0}.", name)
          : l10n.t('{0} stopped at its limit for one answer, so the answer is cut.', name),
    };
    return undefined;
  }
  // Some gateways send no output at the end. For programs, only the earlier item has a valid signature.
  const programs = items.some(({ type }) => PROGRAM_PARTS.has(type));
  const output = Array.isArray(response.output) ? response.output.filter(isItem) : [];
  const value = playedBack(output.length > 0 && !programs ? output : items);
  const whole = value && [...said, ...value];
  if (whole && waits(items)) return whole;
  if (whole) yield opaque(whole);
  return undefined;
}

/**
 * Whether a program has begun or ended, but neither called a tool nor written text. Another request continues the
 * reply.
 */
function waits(items: readonly ResponseOutputItem[]): boolean {
  const kinds = new Set<string>(items.map((item) => item.type));
  return (
    (kinds.has('program') || kinds.has('program_output')) &&
    !kinds.has('function_call') &&
    !kinds.has('message') &&
    !kinds.has('tool_search_call')
  );
}

/** Returns a whole reply in the form in which it is sent back; undefined if it is empty. */
function playedBack(output: readonly ResponseOutputItem[]): readonly StoredItem[] | undefined {
  const items = output.map((item): StoredItem => {
    const fields = Object.hasOwn(REPLAYED, item.type) ? REPLAYED[item.type] : undefined;
    return Object.fromEntries(
      Object.entries(item).filter(([key, value]) => (fields?.includes(key) ?? true) && value !== undefined),
    );
  });
  return items.length > 0 ? items : undefined;
}

function usageOf(usage: NonNullable<Response['usage']>): Usage {
  const cached = usage.input_tokens_details?.cached_tokens;
  const written = usage.input_tokens_details?.cache_write_tokens;
  return {
    inputTokens: Number(usage.input_tokens) || 0,
    outputTokens: Number(usage.output_tokens) || 0,
    ...(typeof cached === 'number' ? { cacheReadTokens: cached } : {}),
    ...(typeof written === 'number' ? { cacheWriteTokens: written } : {}),
  };
}

/** Returns the queries of a search: phrases, or the names of namespaces and functions (`paths`). */
function queriesOf(args: unknown): readonly string[] {
  const object = isObject(args) ? args : {};
  const given = object.paths ?? object.queries ?? object.query ?? [];
  return (Array.isArray(given) ? given : [given]).filter((query): query is string => typeof query === 'string');
}
