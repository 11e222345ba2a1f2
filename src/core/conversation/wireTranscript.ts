import { SEARCH_TOOLS } from '../catalog/modelNames';
import type { ToolDefinition } from '../catalog/tool';
import { memoizeBy } from '../util/memoize';
import { resultText } from './resultText';
import type {
  AssistantItem,
  OpaqueBlock,
  ProviderSearchRecord,
  SearchRecord,
  ToolCall,
  ToolResult,
  Transcript,
  TranscriptItem,
  Wire,
} from './transcript';
import { resultOf } from './unanswered';

// Adapts a transcript to the wire (the provider's protocol) of a request.

/** The pattern of call ids that every service accepts. */
const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns a transcript in a form that one wire accepts, whatever other wires added to it. It begins with the user, each
 * call has exactly one result directly after it, and ids are unique and well formed. A reply that can't be sent back
 * unchanged is reduced to its neutral part, and the provider's own searches in it become calls of `search_tools`.
 * @param replays whether a reply's opaque block can be sent back unchanged; never called for another wire's block
 */
export function transcriptFor(
  wire: Wire | undefined,
  transcript: Transcript,
  replays: (block: OpaqueBlock, item: AssistantItem) => boolean = () => true,
): Transcript {
  const items: TranscriptItem[] = [];
  const start = transcript.findIndex((item) => item.kind === 'user');
  if (start < 0) return items;
  const ids = new Set<string>();
  for (let index = start; index < transcript.length; index++) {
    const item = transcript[index];
    if (item?.kind === 'user') items.push(item);
    // A result without a call is left out.
    if (item?.kind !== 'assistant') continue;
    const next = transcript[index + 1];
    const results = next?.kind === 'results' ? next.results : [];
    const opaque = item.opaque?.filter((block) => block.wire === wire && replays(block, item)) ?? [];
    items.push(...exchange({ ...item, opaque }, results, { ids, index, ownIds: wire === 'openai' }));
  }
  return items;
}

/**
 * Returns a reply with the results of its calls. Searches come before the text that follows from them. If the reply
 * also calls a tool, its text comes before the searches, because it announced them.
 * @param ownIds whether searches keep their provider's ids; Claude accepts its own ids only in its own blocks
 */
function exchange(
  item: AssistantItem & { readonly opaque: readonly OpaqueBlock[] },
  results: readonly ToolResult[],
  { ids, index, ownIds }: { readonly ids: Set<string>; readonly index: number; readonly ownIds: boolean },
): readonly TranscriptItem[] {
  const unique = item.calls.map((call, position) => uniqueId(call.callId, ids, `call_${index}_${position}`));
  const kept = item.opaque.length > 0 && unique.every((id, position) => id === item.calls[position]?.callId);
  const searches = kept
    ? []
    : (item.searches ?? []).flatMap((search, position) => {
        const id = uniqueId((ownIds && search.callId) || '', ids, `search_${index}_${position}`);
        return searchExchange(search, id, position === 0 && item.calls.length > 0 ? item.text : '');
      });
  const text = searches.length > 0 && item.calls.length > 0 ? '' : item.text;
  const calls = item.calls.map((call, position): ToolCall => ({ ...call, callId: unique[position] ?? call.callId }));
  const opaque = kept && { opaque: item.opaque, ...(item.searches && { searches: item.searches }) };
  const reply: AssistantItem = { kind: 'assistant', text, calls, ...opaque };
  const said = text !== '' || calls.length > 0 || kept ? [reply] : [];
  const answers = item.calls.map(
    (call, position): ToolResult => ({
      ...resultOf(call, results),
      callId: unique[position] ?? call.callId,
    }),
  );
  return [...searches, ...said, ...(answers.length > 0 ? [{ kind: 'results' as const, results: answers }] : [])];
}

function uniqueId(id: string, ids: Set<string>, replacement: string): string {
  let unique = CALL_ID.test(id) && !ids.has(id) ? id : replacement;
  for (let suffix = 2; ids.has(unique); suffix++) unique = `${replacement}_${suffix}`;
  ids.add(unique);
  return unique;
}

/** Converts a search that another provider ran into the form of one of ours. */
function searchExchange(
  { callId: _, ...search }: ProviderSearchRecord,
  callId: string,
  text: string,
): readonly TranscriptItem[] {
  const message = search.found.length > 0 ? `Found ${search.found.join(', ')}.` : 'No tools found.';
  return [
    { kind: 'assistant', text, calls: [{ callId, name: SEARCH_TOOLS, input: { queries: search.queries } }] },
    { kind: 'results', results: [{ callId, outcome: 'ok', parts: [{ type: 'text', text: message }], search }] },
  ];
}

/** Maps ids to names. The map is built once for a request, which may have 10,000 tools and many searches. */
const namesById = memoizeBy(
  (tools: readonly ToolDefinition[]) => new Map(tools.map((tool) => [tool.id, tool.name])),
  new WeakMap(),
);

/**
 * Returns the names of found tools that a request can refer to, each once: only tools in the request itself. The
 * service would refuse a reference to any other tool, and every later request of the conversation with it.
 */
export function referable(search: SearchRecord | undefined, tools: readonly ToolDefinition[]): readonly string[] {
  if (!search) return [];
  const names = namesById(tools);
  return [...new Set(search.found.map((id) => names.get(id)).filter((name): name is string => name !== undefined))];
}

/** Returns the conversation without calls, for a request without tools. Every wire refuses calls in such a request. */
export function withoutCalls(transcript: Transcript): Transcript {
  return transcript.flatMap((item): readonly TranscriptItem[] => {
    if (item.kind === 'user') return [item];
    if (item.kind === 'assistant') return item.text ? [{ kind: 'assistant', text: item.text, calls: [] }] : [];
    return [
      { kind: 'user', text: item.results.map((result) => `Result of a tool: ${resultText(result)}`).join('\n\n') },
    ];
  });
}
