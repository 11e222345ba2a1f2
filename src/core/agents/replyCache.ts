import {
  type AssistantItem,
  isQuestion,
  readTranscript,
  type Transcript,
  type TranscriptItem,
} from '../conversation/transcript';
import { setLatest } from '../util/setLatest';
import { questionKey } from './relayTurns';

/** A message of an agent's request, with the data that we stored with it, if the agent sent that back. */
export interface AgentItem {
  readonly item: TranscriptItem;
  /** The stored data. It comes from outside, so {@link parseKept} checks it. */
  readonly kept?: unknown;
}

/** The maximum number of replies that are remembered. A conversation needs the replies of its last turns. */
const MAX_REPLIES = 500;

/**
 * Remembers the parts of replies that an agent doesn't see: searches, and blocks that only the provider understands.
 * The same data is also sent to the agent, which may send it back. If both copies are lost, for example after a reload,
 * the conversation continues without these parts.
 */
export class ReplyCache {
  readonly #byReply = new Map<string, Transcript>();

  /**
   * Remembers a reply.
   * @param kept ends with the assistant's message that the agent gets, and with our results for its calls
   * @param before the conversation that the reply answers
   */
  remember(kept: Transcript, visible: Visible, before: Transcript): void {
    const key = replyKey(visible, before);
    if (key !== undefined) setLatest(this.#byReply, key, kept, MAX_REPLIES);
  }

  /** Returns the whole conversation, in which the parts that the agent doesn't see are restored. */
  restore(messages: readonly AgentItem[]): Transcript {
    const items: TranscriptItem[] = [];
    for (const { item, kept } of messages) {
      const known =
        item.kind === 'assistant' ? (parseKept(kept) ?? this.#byReply.get(replyKey(item, items) ?? '')) : undefined;
      if (known && item.kind === 'assistant' && saysTheSame(known, item)) items.push(...known);
      else items.push(item);
    }
    return joinResults(items);
  }
}

/** The part of a reply that an agent sees. */
type Visible = Pick<AssistantItem, 'text' | 'calls'>;

/** Returns a key for a reply: its calls, whose ids are unique, or its question and text, since texts may recur. */
function replyKey({ text, calls }: Visible, before: Transcript): string | undefined {
  if (calls.length > 0) return `calls ${calls.map((call) => call.callId).join(' ')}`;
  return text === '' ? undefined : `text ${questionKey('', before)} ${text}`;
}

/** Whether the stored reply belongs to this message. The agent may have cut or changed the message. */
function saysTheSame(kept: Transcript, visible: Visible): boolean {
  const calls = kept.flatMap((item) => (item.kind === 'assistant' ? item.calls.map((call) => call.callId) : []));
  const answered = new Set(
    kept.flatMap((item) => (item.kind === 'results' ? item.results.map((result) => result.callId) : [])),
  );
  const open = calls.filter((id) => !answered.has(id));
  return open.length === visible.calls.length && visible.calls.every((call) => open.includes(call.callId));
}

/** Merges our results and the agent's into one message, if they belong to the same reply. */
function joinResults(items: readonly TranscriptItem[]): Transcript {
  const joined: TranscriptItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (item.kind === 'results' && last?.kind === 'results')
      joined[joined.length - 1] = { kind: 'results', results: [...last.results, ...item.results] };
    else joined.push(item);
  }
  return joined;
}

/** Reads stored data; undefined if it isn't ours. Other extensions or older versions may use the same type of data. */
function parseKept(value: unknown): Transcript | undefined {
  const kept = readTranscript(value);
  return kept && kept.length > 0 && !kept.some(isQuestion) ? kept : undefined;
}
