import type { RoundTokens } from './ledger';
import { DESCRIBE_TOOL, SEARCH_TOOLS } from './modelNames';
import type { ModelPort, Usage } from './ports';
import { definitionOf, definitionText, subtractTokens, sumTokens, type TokenMeter } from './tokens';
import type { Tool, ToolDefinition } from './tool';
import type { ResultPart, Transcript } from './transcript';

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
}

/** The text of a set of definitions: counted in one batch, since a sum of single counts overstates about threefold. */
export function definitionsText(tools: readonly Tool[]): string {
  return tools.length === 0 ? '' : `[${tools.map((tool) => definitionOf(tool).text).join(',')}]`;
}

/** Characters of {@link definitionsText} without building it. */
export function definitionsLength(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + definitionOf(tool).text.length + 1, 0);
}

/** A result part as the text that a model gets. */
function partText(part: ResultPart): string {
  return part.type === 'text' ? part.text : `[${part.mimeType}, ${part.bytes} bytes, not shown]`;
}

/** A whole result as the text that a model gets. */
export function resultText({ parts }: { readonly parts: readonly ResultPart[] }): string {
  return parts.map(partText).join('\n');
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

/**
 * Prices a request by kind, with one batched count each. Where the provider reported its usage, `sent` is exactly that,
 * and what the counts don't explain (a wire's own wrapping) belongs to the prompt and history.
 */
export async function priceRequest(parts: RequestParts, port: ModelPort, meter: TokenMeter, signal: AbortSignal): Promise<RoundTokens> {
  const { history, searches } = splitTranscript(parts.transcript);
  const ours = [parts.guidance, parts.own.length > 0 ? JSON.stringify(parts.own.map(definitionText)) : ''].filter(Boolean).join('\n');
  const ask = (text: string, count: AbortSignal) => port.countTokens(text, count);
  const count = (slot: string, text: string) => meter.count(slot, text, ask, signal);
  const all = await count('all', definitionsText(parts.all));
  const eager = await count('eager', definitionsText(parts.eager));
  const discovered = await count('discovered', definitionsText(parts.discovered));
  const searchOverhead = sumTokens([await count('own', ours), await count('searches', searches)]);
  const promptAndHistory = await count('history', history);
  return {
    promptAndHistory,
    eager,
    discovered,
    searchOverhead,
    sent: sumTokens([promptAndHistory, eager, discovered, searchOverhead]),
    baseline: sumTokens([promptAndHistory, all]),
  };
}

/** Replaces the counted total by what the provider reported. */
export function withUsage(tokens: RoundTokens, usage: Usage | undefined): RoundTokens {
  if (!usage) return tokens;
  const sent = { value: usage.inputTokens, certainty: 'measured' as const };
  const tools = sumTokens([tokens.eager, tokens.discovered, tokens.searchOverhead]);
  const promptAndHistory = subtractTokens(sent, tools);
  const all = subtractTokens(tokens.baseline, tokens.promptAndHistory);
  return {
    ...tokens,
    promptAndHistory,
    sent,
    baseline: sumTokens([promptAndHistory, all]),
    ...(usage.cacheReadTokens === undefined ? {} : { cacheRead: usage.cacheReadTokens }),
    ...(usage.cacheWriteTokens === undefined ? {} : { cacheWrite: usage.cacheWriteTokens }),
  };
}
