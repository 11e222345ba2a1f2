import type { AssistantItem, Transcript } from '../core/conversation/transcript';

/** What a kept reply holds of code that its provider runs: ids of code that begins in it, calls in it, ends in it. */
export interface CodeParts {
  readonly started: readonly string[];
  /** By code of this reply or of one before. */
  readonly calling: readonly string[];
  readonly ended: readonly string[];
  /** Whether the reply can be played back as it came, code aside. */
  readonly replays: boolean;
}

interface Seen {
  started: boolean;
  ended: boolean;
  broken: boolean;
  /** The index of the last reply that it is in. */
  last: number;
}

/**
 * The ids of code that can be played back: it stands in the conversation whole, or waits for the results at its end. Any
 * other (of a turn that was cancelled, or with a reply that can't be played back in it) would have the request refused, and
 * with it every later one: its replies are told in their neutral form instead.
 * @param partsOf undefined for a reply without code
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
    // What the user says meanwhile can't be said to code that waits.
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
  // A reply is played back whole: one that isn't takes the code with it that it holds, and that code its other replies.
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
