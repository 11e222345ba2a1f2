import { DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { resultText } from '../conversation/resultText';
import type { Transcript } from '../conversation/transcript';
import type { ModelPort, ModelRequest } from '../ports';
import type { Timer } from '../util/signals';
import type { TokenCounts } from './arithmetic';
import type { CountedKind, TokenCounter } from './tokenCounter';
import { definitionOf, definitionText, sumTokens, ZERO } from './tokens';
import type { Tokens } from './types';

/** What one request is made of, as far as its price goes. */
export interface RequestParts {
  readonly transcript: Transcript;
  /** Instructions that aren't ours: they count as history. */
  readonly system?: string;
  readonly guidance: string;
  readonly own: readonly ToolDefinition[];
  readonly eager: readonly Tool[];
  /** Discovered tools whose definitions are in the request. */
  readonly discovered: readonly Tool[];
  /** Every tool that the request would hold if nothing were deferred. */
  readonly all: readonly Tool[];
  /** Set where the provider searches itself. */
  readonly request?: ModelRequest;
}

/** The sets whose texts were built last. Rounds, and turns side by side, ask for the same again, and it can be a megabyte. */
let built: readonly { readonly tools: readonly Tool[]; readonly text: string }[] = [];
const MAX_BUILT = 4;

/** The text of a set of definitions: counted in one batch, since a sum of single counts overstates about threefold. */
function definitionsText(tools: readonly Tool[]): string {
  if (tools.length === 0) return '';
  const known = built.find(
    (set) => set.tools.length === tools.length && set.tools.every((tool, index) => tool === tools[index]),
  );
  if (known) return known.text;
  const text = `[${tools.map((tool) => definitionOf(tool).text).join(',')}]`;
  built = [{ tools, text }, ...built.slice(0, MAX_BUILT - 1)];
  return text;
}

/** Characters of {@link definitionsText} without building it. */
export function definitionsLength(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + definitionOf(tool).text.length + 1, 0);
}

/** Splits a conversation into what would be there in any system and what only our searches put there. */
export function splitTranscript(transcript: Transcript): { readonly history: string; readonly searches: string } {
  const history: string[] = [];
  const searches: string[] = [];
  const searchCalls = new Set<string>();
  for (const item of transcript) {
    switch (item.kind) {
      case 'user':
        (item.note ? searches : history).push(item.text);
        break;
      case 'assistant':
        if (item.text) history.push(item.text);
        for (const { queries, found } of item.searches ?? []) searches.push(`${queries.join(' ')} ${found.join(' ')}`);
        for (const call of item.calls) {
          const isSearch = call.name === SEARCH_TOOLS || call.name === DESCRIBE_TOOL;
          if (isSearch) searchCalls.add(call.callId);
          (isSearch ? searches : history).push(`${call.name} ${JSON.stringify(call.input)}`);
        }
        break;
      case 'results':
        for (const result of item.results)
          (searchCalls.has(result.callId) ? searches : history).push(resultText(result));
        break;
    }
  }
  return { history: history.join('\n'), searches: searches.join('\n') };
}

/** So long, in milliseconds, are prices waited for; then estimates stand in. */
const PRICING_MS = 5_000;

/** Who counts, and how long it may take. */
export interface CountOptions {
  readonly port: ModelPort;
  readonly counter: TokenCounter;
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/**
 * Prices a request by kind, with one batched count each; what stays the same from round to round is counted once. Never
 * rejects, and takes no longer than {@link PRICING_MS}.
 */
export function countRequest(parts: RequestParts, pricing: CountOptions): Promise<TokenCounts> {
  return inTime(pricing, async (timed) => {
    const { port, counter, signal } = timed;
    const { history: said, searches } = splitTranscript(parts.transcript);
    const history = [parts.system, said].filter(Boolean).join('\n');
    const count = (kind: CountedKind, text: string) =>
      counter.count(kind, text, (aborted) => port.countTokens(text, aborted), signal);
    const all = countEach(parts.all, timed);
    // After the first count it is known whether the model counts at all; then the rest side by side.
    if (!counter.proven) await all;
    const [eager, discovered, own, guidance, searched, onePass] = await Promise.all([
      countEach(parts.eager, timed),
      countEach(parts.discovered, timed),
      countDefinitions(parts.own, JSON.stringify(parts.own.map(definitionText)), timed),
      count('guidance', parts.guidance),
      count('searches', searches),
      countOnePass(parts.request, timed),
    ]);
    return {
      all: await all,
      eager,
      discovered,
      ours: sumTokens([guidance, own]),
      searches: searched,
      // A service that prices definitions also reports its usage, and what that holds beside them is the history.
      history: port.countDefinitions ? counter.estimate(history.length, 'history') : await count('history', history),
      ...(onePass ? { onePass } : {}),
    };
  });
}

/** The price of a set of definitions. Never rejects, and takes no longer than {@link PRICING_MS}. */
export function countTools(tools: readonly Tool[], pricing: CountOptions): Promise<Tokens> {
  return inTime(pricing, (timed) => countEach(tools, timed));
}

/** The price of a set of definitions as far as it is known: the model's count where it was asked before, or an estimate. */
export function knownCount(tools: readonly Tool[], counter: TokenCounter): Tokens {
  return tools.length === 0 ? ZERO : counter.known('definitions', definitionsText(tools));
}

async function inTime<Value>(pricing: CountOptions, work: (pricing: CountOptions) => Promise<Value>): Promise<Value> {
  const late = new AbortController();
  const stop = pricing.timer(() => late.abort(), PRICING_MS);
  try {
    return await work({ ...pricing, signal: AbortSignal.any([pricing.signal, late.signal]) });
  } finally {
    stop();
  }
}

/** The whole request in one reading; undefined where it isn't needed or can't be had. */
async function countOnePass(
  request: ModelRequest | undefined,
  { port, counter, signal }: CountOptions,
): Promise<Tokens | undefined> {
  if (!request || !port.countRequest) return undefined;
  const value = await counter.countOnce((aborted) => port.countRequest?.(request, aborted) ?? Promise.reject(), signal);
  return value === undefined ? undefined : { value, certainty: 'measured' };
}

function countEach(tools: readonly Tool[], pricing: CountOptions): Promise<Tokens> {
  const definitions = tools.map((tool) => definitionOf(tool).definition);
  return countDefinitions(definitions, definitionsText(tools), pricing);
}

async function countDefinitions(
  definitions: readonly ToolDefinition[],
  text: string,
  { port, counter, signal }: CountOptions,
): Promise<Tokens> {
  if (definitions.length === 0) return ZERO;
  return counter.count(
    'definitions',
    text,
    (aborted) => port.countDefinitions?.(definitions, aborted) ?? port.countTokens(text, aborted),
    signal,
  );
}
