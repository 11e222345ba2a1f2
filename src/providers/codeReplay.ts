import type { AssistantItem, Transcript } from '../core/conversation/transcript';

/** The code in a stored reply, run by the provider: the ids of what begins, calls a tool, or ends in the reply. */
export interface CodeParts {
  readonly started: readonly string[];
  /** The ids of the code that made calls. The code may have begun in an earlier reply. */
  readonly calling: readonly string[];
  readonly ended: readonly string[];
  /** Whether the reply, apart from its code, can be sent back as it came. */
  readonly replays: boolean;
}

export function codeIds({ started, calling, ended }: CodeParts): readonly string[] {
  return [...started, ...calling, ...ended];
}

interface SeenCode {
  started: boolean;
  ended: boolean;
  broken: boolean;
  /** The index of the last reply that mentions this code. */
  last: number;
}

/**
 * Returns the ids of the code that can be sent back. The conversation must have the code from beginning to end, or the
 * code must wait for the results that are sent now. The service would refuse any other code, such as that of a
 * cancelled turn, in every later request. Replies with such code are sent as plain text and calls instead.
 * @param partsOf returns the code in a reply; undefined if the reply isn't stored in the service's form
 * @param canWait whether the calls from code in the last reply can be answered
 */
export function playableCode(
  transcript: Transcript,
  partsOf: (item: AssistantItem) => CodeParts | undefined,
  canWait: (item: AssistantItem) => boolean,
): ReadonlySet<string> {
  const parts = transcript.map((item) => (item.kind === 'assistant' ? partsOf(item) : undefined));
  const seen = seenCode(transcript, parts);
  const lastReply = transcript.findLastIndex((item) => item.kind === 'assistant');
  const reply = transcript[lastReply];
  const waits = transcript.at(-1)?.kind === 'results' && reply?.kind === 'assistant' && canWait(reply);
  const playable = new Set(
    [...seen]
      .filter(([, code]) => code.started && !code.broken && (code.ended || (waits && code.last === lastReply)))
      .map(([id]) => id),
  );
  removePartial(playable, parts);
  return playable;
}

function seenCode(transcript: Transcript, parts: readonly (CodeParts | undefined)[]): ReadonlyMap<string, SeenCode> {
  const seen = new Map<string, SeenCode>();
  for (const [index, part] of parts.entries()) {
    // Code that waits for results can't receive a user message.
    if (transcript[index]?.kind === 'user') for (const code of seen.values()) code.broken ||= !code.ended;
    if (!part) continue;
    for (const id of part.started)
      if (!seen.has(id)) seen.set(id, { started: true, ended: false, broken: false, last: index });
    for (const id of [...part.calling, ...part.ended]) {
      const code = seen.get(id) ?? { started: false, ended: false, broken: true, last: index };
      seen.set(id, { ...code, ended: code.ended || part.ended.includes(id), last: index });
    }
  }
  return seen;
}

/** Removes code of replies that can't be sent back as a whole. Other replies with that code then can't be either. */
function removePartial(playable: Set<string>, parts: readonly (CodeParts | undefined)[]): void {
  for (let before = -1; before !== playable.size; ) {
    before = playable.size;
    for (const part of parts) {
      if (!part) continue;
      const ids = codeIds(part);
      if (!part.replays || ids.some((id) => !playable.has(id))) for (const id of ids) playable.delete(id);
    }
  }
}
