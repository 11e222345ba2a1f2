import type { AssistantItem, ToolResult, Transcript, TranscriptItem } from '../conversation/transcript';
import { readTranscript } from '../conversation/transcript';
import { questionKey } from './relayTurns';

/** One message of a caller, with what it played back of ours, if it did. */
export interface AgentItem {
  readonly item: TranscriptItem;
  /** The content of our data part, from outside: see {@link parseKept}. */
  readonly kept?: unknown;
}

/** How many replies are remembered; a conversation needs those of its last turns. */
const MAX_REPLIES = 500;

/**
 * The parts of a reply that an agent doesn't see: the searches in it, and blocks that only the provider
 * understands. It is sent to the caller, who may play it back, and remembered here for callers who don't. Where
 * both are lost, after a reload say, the conversation goes on without.
 */
export class ReplyCache {
  readonly #byReply = new Map<string, Transcript>();

  /**
   * @param kept ends with the assistant's message that the caller gets, and results of ours that belong to it
   * @param before the conversation that it answers
   */
  remember(kept: Transcript, visible: Visible, before: Transcript): void {
    const key = replyKey(visible, before);
    if (key === undefined) return;
    this.#byReply.delete(key);
    this.#byReply.set(key, kept);
    const [oldest] = this.#byReply.keys();
    if (this.#byReply.size > MAX_REPLIES && oldest !== undefined) this.#byReply.delete(oldest);
  }

  /** The conversation as it was, with what the caller's messages don't show put back. */
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

/**
 * Calls have ids of their own; a reply without one goes by its text and its question: others may have the same
 * words.
 */
function replyKey({ text, calls }: Visible, before: Transcript): string | undefined {
  if (calls.length > 0) return `calls ${calls.map((call) => call.callId).join(' ')}`;
  return text === '' ? undefined : `text ${questionKey('', before)} ${text}`;
}

/** Whether what was kept belongs to this message: a caller may have cut or changed it. */
function saysTheSame(kept: Transcript, visible: Visible): boolean {
  const calls = kept.flatMap((item) => (item.kind === 'assistant' ? item.calls.map((call) => call.callId) : []));
  const answered = new Set(
    kept.flatMap((item) => (item.kind === 'results' ? item.results.map((result) => result.callId) : [])),
  );
  const open = calls.filter((id) => !answered.has(id));
  return open.length === visible.calls.length && visible.calls.every((call) => open.includes(call.callId));
}

/** Our own results and the caller's, of calls that one reply made, belong into one message. */
function joinResults(items: readonly TranscriptItem[]): Transcript {
  const joined: TranscriptItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (item.kind === 'results' && last?.kind === 'results')
      joined[joined.length - 1] = {
        kind: 'results',
        results: [...last.results, ...item.results] as readonly ToolResult[],
      };
    else joined.push(item);
  }
  return joined;
}

/**
 * Undefined for whatever isn't ours: another extension may use the same type of data, or an older version of this
 * one.
 */
function parseKept(value: unknown): Transcript | undefined {
  const kept = readTranscript(value);
  return kept && kept.length > 0 && kept.every((item) => item.kind !== 'user' || item.note) ? kept : undefined;
}
