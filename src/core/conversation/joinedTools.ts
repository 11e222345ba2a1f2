import type { ToolDefinition } from '../catalog/tool';
import { sameJson } from '../util/sameJson';
import type { ConversationPlan, JoinedTool, Transcript, TranscriptItem, UserItem } from './transcript';

// Tools that join a conversation after its beginning, and those that leave it.

/** Returns the tools that joined a conversation after its beginning, in their order. */
export function joinedTools(transcript: Transcript): readonly JoinedTool[] {
  return transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : []));
}

/** The names of the tools that a model can call now, and of those that left the conversation and haven't come back. */
interface Presence {
  readonly present: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

/**
 * Returns which tools are in a conversation at its end.
 * @param entered the tools that it began with, and those that searches found
 */
export function presentTools(entered: Iterable<ToolDefinition>, transcript: Transcript): Presence {
  const present = new Set(Array.from(entered, ({ name }) => name));
  const left = new Set<string>();
  for (const item of transcript) {
    if (item.kind !== 'user') continue;
    for (const { name } of item.joined ?? []) {
      present.add(name);
      left.delete(name);
    }
    for (const name of item.left ?? []) {
      present.delete(name);
      left.add(name);
    }
  }
  return { present, left };
}

/** The beginning of a conversation's requests, and the model `vendor/id` that they began with. */
interface Beginning {
  readonly base: NonNullable<ConversationPlan['base']>;
  readonly model: string;
}

/**
 * Returns a conversation without the tools that joined or left it before its requests began so, such as under another
 * model: that was another beginning, even if it was sent in the same words.
 * @param before the plan of the request before this one
 */
export function joinedSince(
  { base, model }: Beginning,
  transcript: Transcript,
  before: ConversationPlan | undefined,
): Transcript {
  const isSame = (plan: ConversationPlan | undefined) => plan?.grounds.model === model && sameJson(plan.base, base);
  let start: number | undefined;
  for (const [index, item] of transcript.entries()) {
    if (item.kind !== 'assistant' || !item.opening) continue;
    start = isSame(item.opening) ? (start ?? index) : undefined;
  }
  // The reply that began the conversation may have been cut off the history.
  const from = start ?? (isSame(before) ? 0 : transcript.length);
  const isEarlier = (item: TranscriptItem, index: number): item is UserItem =>
    index < from && item.kind === 'user' && (item.joined ?? item.left) !== undefined;
  if (!transcript.some(isEarlier)) return transcript;
  return transcript.flatMap((item, index): readonly TranscriptItem[] => {
    if (!isEarlier(item, index)) return [item];
    const { joined: _, left: __, ...rest } = item;
    return item.note && item.text === '' ? [] : [rest];
  });
}
