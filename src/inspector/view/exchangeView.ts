/** Shows a request and its reply: in parts for the page, or completely as JSON for an editor. */
import type { ToolDefinition } from '../../core/catalog/tool';
import type { ResultPart, Transcript } from '../../core/conversation/transcript';
import type { Exchange } from '../../core/ledger/exchanges';
import { definitionText } from '../../core/usage/tokens';
import type { Tokens } from '../../core/usage/types';
import type { ExchangePart, ExchangeView, SentTool } from '../protocol/exchange';
import { cutBytes, firstOf } from '../text/bytes';

/**
 * The maximum number of bytes of a part, of all parts of a request or reply, and of the tools. Together they fit into
 * one message.
 */
const MAX_PART = 3_000;
const MAX_PARTS = 20_000;
const MAX_TOOLS = 14_000;

/**
 * Returns a request and its reply in parts.
 * @param count returns the tokens for a number of characters
 */
export function exchangeView(exchange: Exchange, count: (chars: number) => Tokens): ExchangeView {
  const { turn, round, request, reply } = exchange;
  const { system, transcript, tools, deferred } = request;
  const ours = new Set(exchange.ours);
  const sentTool = (tool: ToolDefinition, isDeferred: boolean): SentTool => ({
    name: tool.name,
    tokens: count(definitionText(tool).length),
    ours: ours.has(tool.name),
    deferred: isDeferred,
  });
  const sent = [...(system === '' ? [] : [part('system', system)]), ...transcriptParts(transcript)];
  return {
    turn,
    round,
    sent: newestOf(sent),
    tools: firstOf(
      [...tools.map((tool) => sentTool(tool, false)), ...deferred.map((tool) => sentTool(tool, true))],
      MAX_TOOLS,
    ),
    toolCount: tools.length + deferred.length,
    ...(reply ? { reply: firstOf(replyParts(reply), MAX_PARTS) } : {}),
  };
}

function replyParts({ text, searches, calls, failure }: NonNullable<Exchange['reply']>): readonly ExchangePart[] {
  return [
    ...(text === '' ? [] : [part('assistant', text)]),
    ...searches.map(({ queries, found }) => part('call', `${queries.join(', ')} → ${found.join(', ')}`)),
    ...calls.map(({ name, input }) => part('call', pretty(input), name)),
    ...(failure === undefined ? [] : [part('note', failure)]),
  ];
}

export function exchangeText({ turn, round, request, reply }: Exchange): string {
  return pretty({ turn, round, request, reply });
}

/** Returns all parts if they fit, otherwise the instructions and the newest parts. */
function newestOf(parts: readonly ExchangePart[]): readonly ExchangePart[] {
  const [first, ...rest] = parts;
  if (!first) return [];
  return [first, ...[...firstOf(rest.toReversed(), MAX_PARTS)].reverse()];
}

function transcriptParts(transcript: Transcript): readonly ExchangePart[] {
  const names = new Map<string, string>();
  const parts: ExchangePart[] = [];
  for (const item of transcript) {
    if (item.kind === 'user') parts.push(part(item.note ? 'note' : 'user', item.text));
    else if (item.kind === 'results')
      for (const { callId, parts: result } of item.results)
        parts.push(part('result', result.map(textOf).join('\n'), names.get(callId)));
    else {
      if (item.text !== '') parts.push(part('assistant', item.text));
      for (const { callId, name, input } of item.calls) {
        names.set(callId, name);
        parts.push(part('call', pretty(input), name));
      }
    }
  }
  return parts;
}

function textOf(result: ResultPart): string {
  return result.type === 'text' ? result.text : `[${result.mimeType}, ${result.bytes} bytes]`;
}

function part(role: ExchangePart['role'], text: string, name?: string): ExchangePart {
  return { role, ...(name === undefined ? {} : { name }), text: cutBytes(text, MAX_PART), chars: text.length };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? '';
}
