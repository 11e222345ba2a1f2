import type { Json } from '../../core/catalog/tool';
import { ModelError, type ModelEvent, type ProviderSearch, type Usage } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { isObject, jsonText, parseJson } from '../../core/util/objects';
import { unfinished } from '../continuedReply';
import { causeOf, failureOf } from '../failures';
import { callerOf, codeOutcome, codeText, isCodeResult, isCodeUse } from './code';
import { type Block, blocksOf } from './storedBlocks';

interface StreamEnd {
  readonly content: readonly Block[];
  readonly stopReason: string | undefined;
  /** The container in which the reply's code runs. */
  readonly container: string | undefined;
  /** The service's id for the reply. */
  readonly messageId: string | undefined;
  /** The number of earlier thinking blocks that the service ignored. */
  readonly dropped: number;
  /** False if the stream ended before the reply did. */
  readonly whole: boolean;
}

/** The strategies of the provider's search tools, as the ledger names them. */
const STRATEGIES: ReadonlyMap<string, string> = new Map([
  ['tool_search_tool_bm25', 'bm25'],
  ['tool_search_tool_regex', 'regex'],
]);

interface OpenBlock {
  readonly block: { type: string; [key: string]: unknown };
  json: string;
  /** The block's citations, if any came as deltas. */
  citations?: unknown[];
}

/**
 * Reads a reply streamed by the Messages API. Unknown events are ignored. Unknown blocks and deltas are stored, so that
 * they can be sent back.
 * @param asked searches that an earlier reply began, by id; searches in this reply are added
 */
export async function* readStream(
  events: AsyncIterable<unknown>,
  asked: Map<string, AskedSearch>,
): AsyncGenerator<ModelEvent, StreamEnd> {
  const reader = new StreamReader(asked);
  for await (const event of untilBroken(events)) {
    if (!isObject(event)) continue;
    yield* reader.read(event);
    if (event.type === 'message_stop') return reader.end(true);
  }
  return reader.end(false);
}

type StreamEvent = { readonly [key: string]: unknown };

/** The reply so far. */
class StreamReader {
  readonly #asked: Map<string, AskedSearch>;
  readonly #open = new Map<unknown, OpenBlock>();
  readonly #content: Block[] = [];
  #usage: Usage | undefined;
  #hasUsage = false;
  #stopReason: string | undefined;
  #container: string | undefined;
  #messageId: string | undefined;
  #dropped = 0;
  /** Separates text after a search from the text before it. */
  #gap = '';

  constructor(asked: Map<string, AskedSearch>) {
    this.#asked = asked;
  }

  end(whole: boolean): StreamEnd {
    return {
      content: this.#content,
      stopReason: this.#stopReason,
      container: this.#container,
      messageId: this.#messageId,
      dropped: this.#dropped,
      whole,
    };
  }

  *read(event: StreamEvent): Generator<ModelEvent> {
    switch (event.type) {
      case 'message_start':
        if (isObject(event.message)) yield* this.#begin(event.message);
        break;
      case 'content_block_start':
        if (isObject(event.content_block)) yield* this.#openBlock(event.index, event.content_block);
        break;
      case 'content_block_delta':
        if (isObject(event.delta)) yield* this.#extend(event.index, event.delta);
        break;
      case 'content_block_stop':
        yield* this.#close(event.index);
        break;
      case 'message_delta':
        yield* this.#finish(event);
        break;
      case 'message_stop':
        if (this.#usage && !this.#hasUsage) yield { type: 'usage', usage: this.#usage };
        break;
    }
  }

  *#begin(message: StreamEvent): Generator<ModelEvent> {
    // Only one attempt can be sent back.
    if (this.#content.length > 0) yield { type: 'restarted' };
    this.#content.length = 0;
    this.#open.clear();
    this.#dropped = droppedThinking(message.input_transformations);
    this.#messageId = typeof message.id === 'string' ? message.id : undefined;
    yield* cacheMissOf(message.diagnostics);
    this.#usage = readUsage(message.usage, this.#usage);
    if (this.#usage) yield { type: 'usage', usage: this.#usage, soFar: true };
    this.#container = containerOf(message) ?? this.#container;
    // Code that continues and then calls a tool has no block events. Only this event has the stop reason.
    this.#stopReason = typeof message.stop_reason === 'string' ? message.stop_reason : undefined;
    for (const block of blocksOf(message.content as Json)) {
      this.#content.push(block);
      if (block.type === 'text' && typeof block.text === 'string') yield { type: 'text', text: block.text };
      yield* eventsOf(block, undefined, this.#asked);
    }
  }

  *#openBlock(index: unknown, block: StreamEvent): Generator<ModelEvent> {
    if (typeof block.type !== 'string') return;
    this.#open.set(index, { block: { ...block, type: block.type }, json: '' });
    if (typeof block.text === 'string') yield* this.#say(block.text);
  }

  *#extend(index: unknown, delta: StreamEvent): Generator<ModelEvent> {
    const current = this.#open.get(index);
    if (!current) return;
    const text = addDelta(current, delta);
    if (delta.type === 'thinking_delta' && typeof delta.thinking === 'string')
      yield { type: 'thinking', text: delta.thinking };
    yield* this.#say(text);
  }

  *#say(text: string): Generator<ModelEvent> {
    if (text === '') return;
    yield { type: 'text', text: this.#gap + text };
    this.#gap = '';
  }

  *#close(index: unknown): Generator<ModelEvent> {
    const current = this.#open.get(index);
    if (!current) return;
    this.#open.delete(index);
    const { block, invalid } = closed(current);
    this.#content.push(block);
    if (block.type === 'text') this.#gap = /\s$/.test(String(block.text)) ? '' : '\n\n';
    yield* eventsOf(block, invalid, this.#asked);
  }

  /** Takes the final usage: the definitions of found tools are added to the input while the model answers. */
  *#finish({ usage, diagnostics, delta }: StreamEvent): Generator<ModelEvent> {
    this.#usage = readUsage(usage, this.#usage);
    this.#hasUsage = this.#usage !== undefined;
    if (this.#usage) yield { type: 'usage', usage: this.#usage };
    yield* cacheMissOf(diagnostics);
    if (!isObject(delta)) return;
    if (typeof delta.stop_reason === 'string') this.#stopReason = delta.stop_reason;
    this.#container = containerOf(delta) ?? this.#container;
  }
}

/**
 * Passes events on until the stream ends. Throws if the service reports an error, sends nothing for too long, or the
 * connection is lost.
 */
async function* untilBroken(events: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* events;
  } catch (error) {
    if (failureOf(error)?.isOwn || causeOf(error)) throw error;
  }
}

function containerOf({ container }: { readonly [key: string]: unknown }): string | undefined {
  return isObject(container) && typeof container.id === 'string' ? container.id : undefined;
}

/** A search by the model. Its result may come in a later reply. */
export interface AskedSearch {
  readonly query: string;
  readonly strategy: string;
}

/** Adds a delta to its block. Returns the new text to show. */
function addDelta(current: OpenBlock, delta: { readonly [key: string]: unknown }): string {
  const append = (key: string, value: unknown) => {
    current.block[key] =
      `${typeof current.block[key] === 'string' ? current.block[key] : ''}${typeof value === 'string' ? value : ''}`;
  };
  switch (delta.type) {
    case 'text_delta':
      append('text', delta.text);
      return typeof delta.text === 'string' ? delta.text : '';
    case 'thinking_delta':
      append('thinking', delta.thinking);
      return '';
    case 'signature_delta':
      current.block.signature = delta.signature;
      return '';
    case 'input_json_delta':
      current.json += typeof delta.partial_json === 'string' ? delta.partial_json : '';
      return '';
    case 'citations_delta':
      addCitation(current, delta.citation);
      return '';
  }
  // A delta of an unknown kind is appended to the block's fields of the same names, so that the block can be sent back
  // complete.
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type') continue;
    if (typeof value === 'string') append(key, value);
    else if (value !== null || !(key in current.block)) current.block[key] = value;
  }
  return '';
}

/** Adds a citation to a block's own list. A copy for each would take quadratic time. */
function addCitation(current: OpenBlock, citation: unknown): void {
  if (!current.citations) {
    current.citations = [...listOf(current.block.citations)];
    current.block.citations = current.citations;
  }
  current.citations.push(citation);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function droppedThinking(transformations: unknown): number {
  return listOf(transformations).filter((entry) => isObject(entry) && entry.type === 'thinking_dropped').length;
}

/** Reasons that don't explain a cache miss: the service had no request to compare with, or no comparison. */
const NO_REASON = new Set<unknown>(['previous_message_not_found', 'unavailable']);

function* cacheMissOf(diagnostics: unknown): Generator<ModelEvent> {
  const reason = isObject(diagnostics) && isObject(diagnostics.cache_miss_reason) && diagnostics.cache_miss_reason.type;
  if (typeof reason === 'string' && !NO_REASON.has(reason)) yield { type: 'cacheMiss', reason };
}

/**
 * Returns a finished block. `invalid` is the model's input as text if it isn't a JSON object, for example because the
 * reply was cut at the token limit.
 */
function closed({ block, json }: OpenBlock): { readonly block: Block; readonly invalid?: string } {
  if (json === '') return { block: block as Block };
  const input = parseJson(json);
  if (isObject(input)) return { block: { ...block, input } as Block };
  // The model gets its invalid input back unchanged.
  return { block: { ...block, input: {} } as Block, invalid: json };
}

function* eventsOf(block: Block, invalid: string | undefined, asked: Map<string, AskedSearch>): Generator<ModelEvent> {
  if (block.type === 'tool_use') {
    const caller = callerOf(block);
    const input = invalid ?? block.input ?? {};
    yield {
      type: 'call',
      callId: String(block.id ?? ''),
      name: String(block.name ?? ''),
      input,
      ...(caller ? { caller } : {}),
    };
  } else if (isCodeUse(block)) {
    yield { type: 'code', callId: String(block.id), code: codeText(block) };
  } else if (isCodeResult(block)) {
    yield { type: 'codeEnded', callId: String(block.tool_use_id), ...codeOutcome(block) };
  } else if (block.type === 'container_upload') {
    yield {
      type: 'warning',
      message: l10n.t(
        'Claude created a file in its container, but the file can’t be downloaded from here: {0}.',
        String(block.file_id),
      ),
    };
  } else if (block.type === 'server_tool_use') {
    asked.set(String(block.id), askedSearch(block));
  } else if (block.type === 'tool_search_tool_result') {
    yield { type: 'search', search: searchOf(block, asked.get(String(block.tool_use_id))) };
  }
}

/** Returns the query of a search call, in the form of bm25 or regex. */
export function askedSearch(block: Block): AskedSearch {
  const input = isObject(block.input) ? block.input : {};
  const query = input.query ?? input.pattern;
  return {
    query: typeof query === 'string' ? query : jsonText(input),
    strategy: STRATEGIES.get(String(block.name)) ?? String(block.name),
  };
}

function searchOf(block: Block, asked: AskedSearch | undefined): ProviderSearch {
  const result = isObject(block.content) ? block.content : {};
  const references: readonly Json[] = Array.isArray(result.tool_references) ? result.tool_references : [];
  return {
    callId: String(block.tool_use_id),
    queries: asked ? [asked.query] : [],
    strategy: asked?.strategy ?? 'bm25',
    found: references.flatMap((reference) =>
      isObject(reference) && typeof reference.tool_name === 'string' ? [reference.tool_name] : [],
    ),
    ...(result.type === 'tool_search_tool_result_error' || result.error_code !== undefined
      ? { error: errorText(result) }
      : {}),
  };
}

/** Unknown error codes are shown as they are, since the service has changed its codes before. */
function errorText({ error_code: code, error_message: message }: { readonly [key: string]: unknown }): string {
  return (
    [code, message].filter((part) => typeof part === 'string' && part !== '').join(': ') ||
    l10n.t('The provider’s search failed.')
  );
}

/** Reads the usage. The service counts tokens read from and written to its cache separately from other input. */
function readUsage(usage: unknown, before: Usage | undefined): Usage | undefined {
  if (!isObject(usage)) return before;
  const number = (key: string) => (typeof usage[key] === 'number' ? usage[key] : undefined);
  const read = number('cache_read_input_tokens') ?? before?.cacheReadTokens ?? 0;
  const written = number('cache_creation_input_tokens') ?? before?.cacheWriteTokens ?? 0;
  const fresh =
    number('input_tokens') ??
    (before ? before.inputTokens - (before.cacheReadTokens ?? 0) - (before.cacheWriteTokens ?? 0) : 0);
  return {
    inputTokens: fresh + read + written,
    outputTokens: number('output_tokens') ?? before?.outputTokens ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
  };
}

/**
 * Returns the warning for a reply that ended early; undefined if it is whole.
 * @throws ModelError if the model declined to answer
 */
export function stopWarning(stopReason: string | undefined, name: string): string | undefined {
  switch (stopReason) {
    case 'max_tokens':
      return l10n.t('{0} stopped at its limit for one answer, so the answer is cut.', name);
    case 'pause_turn':
      return unfinished(name);
    case 'model_context_window_exceeded':
      return l10n.t('{0}’s window is full, so the answer is cut. Start a new chat to go on.', name);
    case 'refusal':
      throw new ModelError(l10n.t('{0} declined to answer this.', name));
  }
  return undefined;
}
