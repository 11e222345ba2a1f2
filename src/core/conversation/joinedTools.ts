import { sameJson } from '../util/sameJson';
import type { ConversationPlan, JoinedTool, Transcript, TranscriptItem } from './transcript';

/** Returns the tools that joined a conversation after its beginning, in their order. */
export function joinedTools(transcript: Transcript): readonly JoinedTool[] {
  return transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : []));
}

/**
 * Returns a conversation without the tools that joined it before its requests began with `base`, such as under another
 * model: they joined another beginning.
 * @param before the beginning of the request before this one
 */
export function joinedSince(
  base: NonNullable<ConversationPlan['base']>,
  transcript: Transcript,
  before: ConversationPlan['base'],
): Transcript {
  let start: number | undefined;
  for (const [index, item] of transcript.entries()) {
    if (item.kind !== 'assistant' || !item.opening) continue;
    start = sameJson(item.opening.base, base) ? (start ?? index) : undefined;
  }
  // The reply that began the conversation may have been cut off the history.
  const from = start ?? (sameJson(before, base) ? 0 : transcript.length);
  const isEarlier = (item: TranscriptItem, index: number) =>
    index < from && item.kind === 'user' && item.joined !== undefined;
  if (!transcript.some(isEarlier)) return transcript;
  return transcript.flatMap((item, index): readonly TranscriptItem[] => {
    if (item.kind !== 'user' || !isEarlier(item, index)) return [item];
    const { joined: _, ...rest } = item;
    return item.note && item.text === '' ? [] : [rest];
  });
}
