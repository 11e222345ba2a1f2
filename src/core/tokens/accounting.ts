import { DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool, ToolDefinition } from '../catalog/tool';
import type { ModelPort, ModelRequest } from '../ports';
import { resultText } from '../transcript/resultText';
import type { Transcript } from '../transcript/transcript';
import type { Prices } from './arithmetic';
import { definitionOf, definitionText, sumTokens, type TokenMeter, ZERO } from './tokens';
import type { Tokens } from './types';

/** What one request is made of, as far as its price goes. */
export interface RequestParts {
  readonly transcript: Transcript;
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
  const known = built.find((set) => set.tools.length === tools.length && set.tools.every((tool, index) => tool === tools[index]));
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
        history.push(item.text);
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
        for (const result of item.results) (searchCalls.has(result.callId) ? searches : history).push(resultText(result));
        break;
    }
  }
  return { history: history.join('\n'), searches: searches.join('\n') };
}

/** Prices a request by kind, with one batched count each; what stays the same from round to round is counted once. */
export async function priceRequest(parts: RequestParts, port: ModelPort, meter: TokenMeter, signal: AbortSignal): Promise<Prices> {
  const { history, searches } = splitTranscript(parts.transcript);
  const count = (slot: string, text: string) => meter.count(slot, text, (counted, aborted) => port.countTokens(counted, aborted), signal);
  const all = await priceTools('all', parts.all, port, meter, signal);
  // After the first one it is known whether the model counts at all; then the rest side by side.
  const [eager, discovered, own, guidance, searched, onePass] = await Promise.all([
    priceTools('eager', parts.eager, port, meter, signal),
    priceTools('discovered', parts.discovered, port, meter, signal),
    priceDefinitions('own', parts.own, JSON.stringify(parts.own.map(definitionText)), port, meter, signal),
    count('guidance', parts.guidance),
    count('searches', searches),
    priceOnePass(parts.request, port, signal),
  ]);
  return {
    all,
    eager,
    discovered,
    ours: sumTokens([guidance, own]),
    searches: searched,
    // A service that prices definitions also reports its usage, and what that holds beside them is the history.
    history: port.countDefinitions ? meter.estimate(history.length) : await count('history', history),
    ...(onePass ? { onePass } : {}),
  };
}

/** The whole request in one reading; undefined where it isn't needed or can't be had. */
async function priceOnePass(request: ModelRequest | undefined, port: ModelPort, signal: AbortSignal): Promise<Tokens | undefined> {
  if (!request || !port.countRequest) return undefined;
  try {
    return { value: await port.countRequest(request, signal), certainty: 'measured' };
  } catch {
    return undefined;
  }
}

/** The price of a set of definitions; `slot` as in {@link TokenMeter.count}. */
export function priceTools(slot: string, tools: readonly Tool[], port: ModelPort, meter: TokenMeter, signal: AbortSignal): Promise<Tokens> {
  const definitions = tools.map((tool) => definitionOf(tool).definition);
  return priceDefinitions(slot, definitions, definitionsText(tools), port, meter, signal);
}

async function priceDefinitions(
  slot: string,
  definitions: readonly ToolDefinition[],
  text: string,
  port: ModelPort,
  meter: TokenMeter,
  signal: AbortSignal,
): Promise<Tokens> {
  if (definitions.length === 0) return ZERO;
  return meter.count(
    slot,
    text,
    (counted, aborted) => port.countDefinitions?.(definitions, aborted) ?? port.countTokens(counted, aborted),
    signal,
  );
}
