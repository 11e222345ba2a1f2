import type { ToolDefinition } from '../catalog/tool';
import type { ConversationPlan, JoinedTool, Transcript, TranscriptItem, UserItem } from './transcript';

// Finds the tools that join a conversation after its beginning, and those that leave it.

/** Returns the tools that joined a conversation after its beginning, in their order. */
export function joinedTools(transcript: Transcript): readonly JoinedTool[] {
  return transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : []));
}

/**
 * Returns the names of the tools in a conversation at its end, and of those that left it and haven't come back.
 * @param entered the tools that the conversation began with, and those that searches found
 */
export function presentTools(entered: Iterable<ToolDefinition>, transcript: Transcript) {
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

/** Returns a conversation without the tools that joined or left after another beginning, such as another model's. */
export function joinedSince({ id }: NonNullable<ConversationPlan['base']>, transcript: Transcript): Transcript {
  const isOther = (item: TranscriptItem): item is UserItem =>
    item.kind === 'user' && (item.joined ?? item.left) !== undefined && item.base !== id;
  if (!transcript.some(isOther)) return transcript;
  return transcript.flatMap((item): readonly TranscriptItem[] => {
    if (!isOther(item)) return [item];
    const { joined: _, left: __, ...rest } = item;
    return item.note && item.text === '' ? [] : [rest];
  });
}
