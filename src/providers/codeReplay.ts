import type { AssistantItem, Transcript } from '../core/conversation/transcript';

// Decides which code of a conversation, run by its provider, can be played back.

/** The code in a kept reply, run by its provider: the ids of code that begins in it, calls in it, ends in it. */
export interface CodeParts {
  readonly started: readonly string[];
  /** The ids of code that calls. The code may be from an earlier reply. */
  readonly calling: readonly string[];
  readonly ended: readonly string[];
  /** Whether the reply can be played back as it came, apart from its code. */
  readonly replays: boolean;
}

interface Seen {
  started: boolean;
  ended: boolean;
  broken: boolean;
  /** The index of the last reply that contains it. */
  last: number;
}

/**
 * Returns the ids of code that can be played back: the conversation has all of it, or it waits for the results at the
 * end. The service would refuse this and every later request with any other code, such as that of a cancelled turn.
 * Replies with such code are sent in their neutral form instead.
 * @param partsOf returns undefined for a reply without code
 * @param canWait whether the last reply's calls from code can be answered
 */
export function playableCode(
  transcript: Transcript,
  partsOf: (item: AssistantItem) => CodeParts | undefined,
  canWait: (item: AssistantItem) => boolean,
): ReadonlySet<string> {
  const parts = transcript.map((item) => (item.kind === 'assistant' ? partsOf(item) : undefined));
  const seen = new Map<string, Seen>();
  for (const [index, part] of parts.entries()) {
    const item = transcript[index];
    // A user's message can't be sent to code that waits.
    if (item?.kind === 'user') for (const code of seen.values()) if (!code.ended) code.broken = true;
    for (const id of part?.started ?? [])
      if (!seen.has(id)) seen.set(id, { started: true, ended: false, broken: false, last: index });
    for (const id of [...(part?.calling ?? []), ...(part?.ended ?? [])]) {
      const code = seen.get(id) ?? { started: false, ended: false, broken: true, last: index };
      seen.set(id, { ...code, ended: code.ended || part?.ended.includes(id) === true, last: index });
    }
  }
  const lastReply = transcript.findLastIndex((item) => item.kind === 'assistant');
  const reply = transcript[lastReply];
  const waits = transcript.at(-1)?.kind === 'results' && reply?.kind === 'assistant' && canWait(reply);
  const playable = new Set(
    [...seen]
      .filter(([, code]) => code.started && !code.broken && (code.ended || (waits && code.last === lastReply)))
      .map(([id]) => id),
  );
  // Replies are played back only as a whole. If one can't be, its code can't be either, nor can other replies with that
  // code.
  for (let before = -1; before !== playable.size; ) {
    before = playable.size;
    for (const part of parts) {
      if (!part) continue;
      const ids = [...part.started, ...part.calling, ...part.ended];
      if (!part.replays || ids.some((id) => !playable.has(id))) for (const id of ids) playable.delete(id);
    }
  }
  return playable;
}
