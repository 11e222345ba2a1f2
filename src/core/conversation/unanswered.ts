import { turnsOf } from './keptHistory';
import {
  type AssistantItem,
  isQuestion,
  type ToolCall,
  type ToolResult,
  type Transcript,
  type TranscriptItem,
  type UserItem,
} from './transcript';

// Tells a model that questions and calls without an answer are over. Otherwise it may answer them, or run their tools
// again.

/**
 * Returns the conversation as a model should read it if questions failed or were stopped. A note says that such a
 * question is no longer pending. If the user asks it again, it appears once, followed by the calls that had run for it.
 * Calls that have run always stay with their results, since a model that doesn't see them makes them again.
 * @param transcript ends with the current question
 */
export function withoutPending(transcript: Transcript): Transcript {
  const turns = turnsOf(transcript);
  // Items before the first question aren't sent, but the tools found in them stay discovered.
  const first = transcript.findIndex(isQuestion);
  const read = transcript.slice(0, first < 0 ? transcript.length : first);
  const notes: TranscriptItem[] = [];
  let open: UserItem | undefined;
  for (const [index, [asked, ...rest]] of turns.entries()) {
    const next = turns[index + 1]?.[0];
    if (asked.unanswered && isSame(asked, next) && !hasRun(rest)) {
      notes.push(...sentNotes(rest));
      continue;
    }
    if (isSame(open, asked)) dropUnfinished(read);
    else {
      if (open) addNotPending(read, open);
      read.push(asked);
    }
    read.push(...notes.splice(0), ...rest);
    open = asked.unanswered ? asked : undefined;
  }
  return read;
}

/** Returns our notes of a turn if its reply shows that they were sent. These notes aren't sent again. */
function sentNotes(rest: readonly TranscriptItem[]): readonly TranscriptItem[] {
  return rest.some((item) => item.kind === 'assistant' && item.conversationPlan)
    ? rest.filter((item) => item.kind === 'user')
    : [];
}

/** Removes an answer's unfinished beginning, since the model writes the answer again. */
function dropUnfinished(items: TranscriptItem[]): void {
  for (let last = items.at(-1); last?.kind === 'assistant' && last.calls.length === 0; last = items.at(-1)) items.pop();
}

/** Adds a text as the model's, after its own, so that the next question doesn't read as part of this one. */
function addNotPending(items: TranscriptItem[], { unanswered }: UserItem): void {
  const how =
    unanswered === 'cancelled'
      ? 'The user stopped this question before it was answered'
      : 'This question failed before it was answered';
  const words = `(${how}. It isn’t pending: it is only answered if the user asks for it again.)`;
  const last = items.at(-1);
  if (last?.kind !== 'assistant' || last.calls.length > 0) {
    items.push({ kind: 'assistant', text: words, calls: [] });
    return;
  }
  const { opaque: _, ...begun } = last;
  items[items.length - 1] = { ...begun, text: begun.text.trim() === '' ? words : `${begun.text}\n\n${words}` };
}

/** Whether a tool may have changed something, even if it was cancelled while it ran. A search changes nothing. */
function hasRun(items: readonly TranscriptItem[]): boolean {
  return items.some((item) => item.kind === 'results' && item.results.some(({ notRun, search }) => !notRun && !search));
}

/** Whether two questions are the same, apart from white space at the ends. Questions with images are never the same. */
function isSame(one: UserItem | undefined, other: UserItem | undefined): boolean {
  return (
    one !== undefined && other !== undefined && !one.images && !other.images && one.text.trim() === other.text.trim()
  );
}

/** Returns a transcript without an agent's direct repetitions of a question: the earlier attempts failed. */
export function onceAsked(transcript: Transcript): Transcript {
  const said = transcript.filter((item) => item.kind !== 'assistant' || !isNothing(item));
  return said.filter((item, index) => {
    const next = said[index + 1];
    return !(item.kind === 'user' && next?.kind === 'user' && isSame(item, next));
  });
}

/** Whether a reply is empty. An agent may keep the empty reply of a request that failed before any output. */
function isNothing({ text, calls, searches, opaque }: AssistantItem): boolean {
  return text.trim() === '' && calls.length === 0 && !searches && !opaque;
}

/**
 * Returns an agent's conversation with a mark on each of its questions that got no answer.
 * @param endOf how the last question of such a conversation ended, if it got no answer
 */
export function withUnanswered(
  transcript: Transcript,
  endOf: (transcript: Transcript) => UserItem['unanswered'],
): Transcript {
  const asked = transcript.flatMap((item, index) => (isQuestion(item) ? [index] : []));
  const items = [...transcript];
  for (const [position, index] of asked.entries()) {
    const item = items[index];
    const next = asked[position + 1];
    if (next === undefined || item?.kind !== 'user') break;
    const last = items[next - 1];
    if (last?.kind === 'assistant' && last.calls.length === 0 && last.text.trim() !== '') continue;
    const unanswered = endOf(transcript.slice(0, index + 1));
    if (unanswered) items[index] = { ...item, unanswered };
  }
  return items;
}

/** Moves our notes before the question that they were added to, so that the question is last. */
export function notesFirst(transcript: Transcript): Transcript {
  const items = [...transcript];
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (item.kind !== 'user' || !item.note || before?.kind !== 'user' || before.note) continue;
    items[index - 1] = item;
    items[index] = before;
  }
  return items;
}

/** Returns a call's result. If it was lost, the result says so. */
export function resultOf({ callId }: ToolCall, results: readonly ToolResult[]): ToolResult {
  return (
    results.find((result) => result.callId === callId) ?? {
      callId,
      outcome: 'cancelled',
      parts: [{ type: 'text', text: 'No result was kept.' }],
    }
  );
}
