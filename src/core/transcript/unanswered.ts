import type { Transcript, TranscriptItem } from './transcript';

/** A turn of a conversation: the question and all that came of it. */
interface Turn {
  readonly asked: Extract<TranscriptItem, { kind: 'user' }>;
  readonly rest: readonly TranscriptItem[];
}

/**
 * The conversation as a model should read it where questions failed, or were stopped, before they were answered: such a one
 * isn't pending, and says so; where the same question follows, it stands once, and goes on from what had run for it. Tools
 * that ran have run, so their calls and results stay, whatever follows: a model that doesn't see them runs them again.
 * @param transcript ends with the question that is asked now
 */
export function withoutPending(transcript: Transcript): Transcript {
  const turns = turnsOf(transcript);
  const read: TranscriptItem[] = [];
  let open: Turn['asked'] | undefined;
  for (const [index, turn] of turns.entries()) {
    const { asked, rest } = turn;
    const next = turns[index + 1]?.asked;
    if (asked.unanswered && next?.text === asked.text && !hasRun(rest)) continue;
    if (open?.text === asked.text) dropUnfinished(read);
    else {
      if (open) read.push(notPending(open));
      read.push(asked);
    }
    read.push(...rest);
    open = asked.unanswered ? asked : undefined;
  }
  return open ? [...read, notPending(open)] : read;
}

/** The beginning of an answer, which is given anew. */
function dropUnfinished(items: TranscriptItem[]): void {
  for (let last = items.at(-1); last?.kind === 'assistant' && last.calls.length === 0; last = items.at(-1)) items.pop();
}

/** In the model's place, so that the next question doesn't stick to this one. */
function notPending({ unanswered }: Turn['asked']): TranscriptItem {
  const how =
    unanswered === 'cancelled' ? 'The user stopped this question before it was answered' : 'This question failed before it was answered';
  return { kind: 'assistant', text: `(${how}. It isn’t pending: it is only answered if the user asks for it again.)`, calls: [] };
}

/** Whether a tool did something, or may have. A search changes nothing. */
function hasRun(items: readonly TranscriptItem[]): boolean {
  return items.some((item) => item.kind === 'results' && item.results.some(({ outcome, search }) => outcome !== 'cancelled' && !search));
}

/** What comes before the first question is no turn, and kept by none: no wire sends it. */
function turnsOf(transcript: Transcript): readonly Turn[] {
  const turns: { asked: Turn['asked']; rest: TranscriptItem[] }[] = [];
  for (const item of transcript) {
    if (item.kind === 'user' && !item.note) turns.push({ asked: item, rest: [] });
    else turns.at(-1)?.rest.push(item);
  }
  return turns;
}

/** A question that a caller repeats with nothing in between stands once: the first one failed. */
export function onceAsked(transcript: Transcript): Transcript {
  return transcript.filter((item, index) => {
    const next = transcript[index + 1];
    return !(item.kind === 'user' && next?.kind === 'user' && next.text === item.text && !item.images && !next.images);
  });
}

/** A note of ours before the question that it came with: what is asked stands last. */
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
