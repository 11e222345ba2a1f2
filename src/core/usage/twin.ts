// The twin of a conversation: the same questions, calls and answers, but with every definition in each request and
// without searches. Savings are measured against the twin.

import { CALL_TOOL, isSearchName } from '../catalog/modelNames';
import type { Json } from '../catalog/tool';
import type { AssistantItem, ToolCall, Transcript, TranscriptItem } from '../conversation/transcript';
import { asObject, isObject } from '../util/objects';

const isSearch = ({ name }: ToolCall) => isSearchName(name);

/** Whether a reply did nothing but search. Its twin has no such request. */
export function onlySearched(calls: readonly ToolCall[]): boolean {
  return calls.length > 0 && calls.every(isSearch);
}

/** Whether a reply searched and called other tools. Its twin makes these calls together with the next reply's. */
export function searchedAndCalled(calls: readonly ToolCall[]): boolean {
  return calls.some(isSearch) && !onlySearched(calls);
}

/**
 * Returns a transcript without searches, their results and our notes. A tool that was called through `call_tool` is
 * called directly. Entries without any of these stay the same objects.
 */
export function twinTranscript(transcript: Transcript): Transcript {
  return twinEntries(transcript).flat();
}

/** Returns the entries of a transcript that exist because of searching. */
export function searchEntries(transcript: Transcript): ReadonlySet<TranscriptItem> {
  const twin = twinEntries(transcript);
  return new Set(transcript.filter((_, index) => twin[index]?.length === 0));
}

/** Returns the twin's entries for each entry of a transcript. */
function twinEntries(transcript: Transcript): readonly (readonly TranscriptItem[])[] {
  const searches = new Set<string>();
  return transcript.map((item) => {
    if (item.kind === 'assistant') for (const call of item.calls) if (isSearch(call)) searches.add(call.callId);
    return twinOf(item, searches);
  });
}

function twinOf(item: TranscriptItem, searches: ReadonlySet<string>): readonly TranscriptItem[] {
  switch (item.kind) {
    case 'user':
      return item.note ? [] : [item];
    case 'results': {
      const results = item.results.filter(({ callId }) => !searches.has(callId));
      if (results.length === 0) return [];
      return results.length === item.results.length ? [item] : [{ ...item, results }];
    }
    case 'assistant':
      if (onlySearched(item.calls)) return [];
      return item.searches || item.calls.some((call) => isSearch(call) || call.name === CALL_TOOL)
        ? [withoutSearches(item)]
        : [item];
  }
}

function withoutSearches({ searches: _, ...item }: AssistantItem): AssistantItem {
  const calls = item.calls.filter((call) => !isSearch(call)).map(direct);
  return {
    ...item,
    calls,
    ...(item.opaque
      ? { opaque: item.opaque.map((block) => ({ ...block, value: blocks(block.value, item, calls) })) }
      : {}),
  };
}

function direct(call: ToolCall): ToolCall {
  const input = call.name === CALL_TOOL ? asObject(call.input) : undefined;
  return typeof input?.name === 'string' ? { ...call, name: input.name, input: input.arguments ?? {} } : call;
}

/**
 * Returns the blocks of a reply in one wire's own form, without the blocks of searches. Both wires have a block's kind
 * in `type` and a call's id in `id` or `call_id`.
 */
function blocks(value: Json, before: AssistantItem, calls: readonly ToolCall[]): Json {
  if (!Array.isArray(value)) return value;
  const removed = new Set(before.calls.filter(isSearch).map(({ callId }) => callId));
  return value.flatMap((block): Json[] => {
    if (!isObject(block)) return [block];
    if ([block.type, block.name].some((name) => typeof name === 'string' && name.startsWith('tool_search'))) return [];
    const id = String(block.call_id ?? block.id);
    if (removed.has(id)) return [];
    const call = block.name === CALL_TOOL ? calls.find(({ callId }) => callId === id) : undefined;
    if (!call) return [block as Json];
    const input = 'arguments' in block ? { arguments: JSON.stringify(call.input) } : { input: call.input };
    return [{ ...block, name: call.name, ...input } as unknown as Json];
  });
}
