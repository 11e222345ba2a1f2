// Counts a request's tokens by kind, and those of its twin (the same request without deferring; see twin.ts).

import { isSearchName } from '../catalog/modelNames';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { resultText } from '../conversation/resultText';
import type { AssistantItem, ToolResult, Transcript } from '../conversation/transcript';
import type { ModelPort, ModelRequest } from '../ports';
import { onAbort } from '../util/signals';
import type { Timer } from '../util/timers';
import type { TokenCounts } from './roundTokens';
import type { CountedKind, TokenCounter } from './tokenCounter';
import { definitionOf, definitionText, subtractTokens, sumTokens, ZERO } from './tokens';
import type { Tokens } from './types';

/** The parts of one request that are counted. */
export interface RequestParts {
  readonly transcript: Transcript;
  /** Instructions that aren't ours. They count as history. */
  readonly system?: string;
  readonly guidance: string;
  readonly own: readonly ToolDefinition[];
  readonly eager: readonly Tool[];
  /** The discovered tools whose definitions are in the request. */
  readonly discovered: readonly Tool[];
  /** Every tool that the request would contain if nothing were deferred, in the catalog's order. */
  readonly all: readonly Tool[];
  /** Whether the provider's code may call a tool. Its definition then says so, which no service counts separately. */
  readonly isCalledByCode: (tool: Tool) => boolean;
  /** The same request with every definition and without searches. */
  readonly twin: {
    /** A request with few definitions: those in `counted`, and those of our own tools that the twin would have too. */
    readonly request: ModelRequest;
    /** The servers' tools with definitions in `request`, so that it can be counted without all others. */
    readonly counted: readonly Tool[];
  };
}

/** The assumed length of a definition's field that permits calls by code. The services' have 42 and 53 characters. */
const CALLERS_CHARS = 48;

/** Returns the twin's request with every definition. */
export function fullTwin({ twin: { request }, all }: RequestParts): ModelRequest {
  const own = request.tools.filter(({ server }) => server === '');
  return { ...request, tools: [...own, ...all.map((tool) => definitionOf(tool).definition)] };
}

/** Returns the text of a set of definitions, to be counted as a whole: single counts add up to three times as much. */
function definitionsText(tools: readonly Tool[]): string {
  return `[${tools.map((tool) => definitionOf(tool).text).join(',')}]`;
}

/**
 * Splits a conversation into two texts: the part that it would have without tool search, and the part that searches
 * added, with the blocks of tools that joined. If the provider expands found tools in the conversation, their
 * definitions are a part of the searches.
 * @param apart the tools whose definitions are counted apart
 */
export function splitTranscript(
  transcript: Transcript,
  apart: readonly Pick<Tool, 'id'>[] = [],
): { readonly history: string; readonly searches: string } {
  const ids = new Set(apart.map(({ id }) => id));
  const history: string[] = [];
  const searches: string[] = [];
  const searchCalls = new Set<string>();
  const isSearch = (callId: string) => searchCalls.has(callId);
  const expanded = (definitions: readonly ToolDefinition[] = []) =>
    definitions.filter(({ id }) => !ids.has(id)).map(definitionText);
  const addReply = ({ text, searches: found = [], calls }: AssistantItem) => {
    if (text) history.push(text);
    for (const search of found)
      searches.push(`${search.queries.join(' ')} ${search.found.join(' ')}`, ...expanded(search.definitions));
    for (const { name, callId, input } of calls) {
      if (isSearchName(name)) searchCalls.add(callId);
      (isSearch(callId) ? searches : history).push(`${name} ${JSON.stringify(input)}`);
    }
  };
  const addResult = (result: ToolResult) => {
    (isSearch(result.callId) ? searches : history).push(resultText(result));
    searches.push(...expanded(result.search?.definitions));
  };
  for (const item of transcript) {
    if (item.kind === 'assistant') addReply(item);
    else if (item.kind === 'results') item.results.forEach(addResult);
    else {
      (item.note ? searches : history).push(item.text);
      // A tool that joins has a block of its own, as Claude's service takes it.
      for (const { name } of item.joined ?? [])
        searches.push(JSON.stringify({ type: 'tool_addition', tool: { type: 'tool_reference', name } }));
    }
  }
  return { history: history.join('\n'), searches: searches.join('\n') };
}

/** The maximum wait for counts, in milliseconds. After that, they are estimated. */
const COUNTING_MS = 5_000;
/** The maximum wait after the user stopped the turn. What was sent until then is still counted. */
const AFTER_STOP_MS = 1_000;

/** The model that counts, and the time limit. */
export interface CountOptions {
  readonly port: ModelPort;
  readonly counter: TokenCounter;
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/**
 * Counts a request by kind, with one count for all texts of a kind. A part that stays the same from round to round is
 * counted once. Never rejects, and takes no longer than {@link COUNTING_MS}.
 * @param isOwnTwin whether the request is its own twin, so that only the request is counted
 */
export function countRequest(parts: RequestParts, options: CountOptions, isOwnTwin = false): Promise<TokenCounts> {
  return inTime(options, async (timed) => {
    const { counter } = timed;
    const each = async (tools: readonly Tool[]) => {
      const fields = counter.estimate(tools.filter(parts.isCalledByCode).length * CALLERS_CHARS);
      return sumTokens([await countEach(tools, timed), fields]);
    };
    const all = each(parts.all);
    // The first count shows whether the model counts at all. Then the remaining counts run side by side.
    if (!counter.proven) await all;
    const { port, signal } = timed;
    const [eager, discovered, twin, toolPrompt = 0] = await Promise.all([
      each(parts.eager),
      each(parts.discovered),
      isOwnTwin ? {} : countTwin(parts.twin, timed),
      counter.proven ? port.countToolPrompt?.(signal).catch(() => 0) : 0,
    ]);
    return { all: await all, eager, discovered, ...(await countText(parts, timed)), ...twin, toolPrompt };
  });
}

/** Counts a request whose service didn't report its usage. Returns undefined if the model can't count it. */
export function countSent(request: ModelRequest, options: CountOptions): Promise<number | undefined> {
  return inTime(options, async (timed) => countWhole(request, timed));
}

/** Asks for the count of a request. Returns undefined, and asks nothing, if the model counts only texts. */
function countWhole(request: ModelRequest, { port, counter, signal }: CountOptions) {
  const count = port.countRequest?.bind(port);
  return count && counter.countOnce((aborted) => count(request, aborted), signal);
}

/** Counts a set of definitions. Never rejects, and takes no longer than {@link COUNTING_MS}. */
export function countTools(tools: readonly Tool[], options: CountOptions): Promise<Tokens> {
  return inTime(options, (timed) => countEach(tools, timed));
}

/** Returns the tokens of a set of definitions without a request: the model's earlier count, or an estimate. */
export function knownCount(tools: readonly Tool[], counter: TokenCounter): Tokens {
  return tools.length === 0 ? ZERO : counter.known('definitions', definitionsText(tools));
}

async function inTime<Value>(options: CountOptions, work: (options: CountOptions) => Promise<Value>): Promise<Value> {
  const late = new AbortController();
  const stops = [options.timer(() => late.abort(), COUNTING_MS)];
  stops.push(onAbort(options.signal, () => stops.push(options.timer(() => late.abort(), AFTER_STOP_MS))));
  try {
    return await work({ ...options, signal: late.signal });
  } finally {
    for (const stop of stops) stop();
  }
}

/** Counts the twin's prompt without servers' definitions: the service counts a few of them, which are subtracted. */
async function countTwin(
  { request, counted }: RequestParts['twin'],
  options: CountOptions,
): Promise<Pick<TokenCounts, 'twinPrompt'>> {
  const { port } = options;
  if (!port.countRequest) return {};
  const [whole, definitions] = await Promise.all([countWhole(request, options), countEach(counted, options)]);
  if (whole === undefined) return {};
  const prompt = subtractTokens({ value: whole, certainty: 'measured' }, definitions);
  const thinking = thinkingOf(request.transcript, port.info.id);
  return { twinPrompt: thinking > 0 ? sumTokens([prompt, { value: thinking, certainty: 'estimated' }]) : prompt };
}

/**
 * Returns the tokens of thinking that is valid only after the sent conversation. The service can't count it in the
 * twin's request, but the twin's model would have thought as much.
 */
function thinkingOf(transcript: Transcript, model: string): number {
  return transcript.reduce((sum, item) => {
    if (item.kind !== 'assistant' || !item.opaque?.some((block) => block.model === model)) return sum;
    return sum + (item.boundThinking ?? 0);
  }, 0);
}

/**
 * Counts the texts of a request by kind. If a service counts whole requests, these counts are estimates: the sums come
 * from its usage and from the twin's count.
 */
async function countText(
  { transcript, system, own, guidance, discovered, twin }: RequestParts,
  { port, counter, signal }: CountOptions,
): Promise<Pick<TokenCounts, 'ours' | 'searches' | 'history'>> {
  const count = (kind: CountedKind, text: string) =>
    port.countRequest
      ? counter.estimate(text.length, kind)
      : counter.count(kind, text, (aborted) => port.countTokens(text, aborted), signal);
  const texts = splitTranscript(transcript, discovered);
  // The twin has the workspace's folders in its instructions. Here the guidance names them.
  const folders = guidance.includes(twin.request.system) ? twin.request.system : '';
  const kept = twin.request.tools.filter((tool) => own.includes(tool));
  const ours = own.filter((tool) => !kept.includes(tool)).map(definitionText);
  const [history, searches, guided, definitions] = await Promise.all([
    count('history', [system || folders, ...kept.map(definitionText), texts.history].filter(Boolean).join('\n')),
    count('searches', texts.searches),
    count('guidance', guidance.replace(folders, '')),
    count('definitions', ours.length === 0 ? '' : JSON.stringify(ours)),
  ]);
  return { history, searches, ours: sumTokens([guided, definitions]) };
}

async function countEach(tools: readonly Tool[], { port, counter, signal }: CountOptions): Promise<Tokens> {
  if (tools.length === 0) return ZERO;
  const definitions = tools.map((tool) => definitionOf(tool).definition);
  const text = definitionsText(tools);
  return counter.count(
    'definitions',
    text,
    (aborted) => port.countDefinitions?.(definitions, aborted) ?? port.countTokens(text, aborted),
    signal,
  );
}
