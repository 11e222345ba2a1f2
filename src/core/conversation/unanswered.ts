import type { AssistantItem, Transcript, TranscriptItem, UserItem } from './transcript';

/** A turn of a conversation: the question and all that came of it. */
interface Turn {
  readonly asked: UserItem;
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
  // No wire sends what comes before the first question, but what was found in it stays known.
  const first = transcript.findIndex(isAsked);
  const read = transcript.slice(0, first < 0 ? transcript.length : first);
  const told: TranscriptItem[] = [];
  let open: Turn['asked'] | undefined;
  for (const [index, turn] of turns.entries()) {
    const { asked, rest } = turn;
    const next = turns[index + 1]?.asked;
    if (asked.unanswered && isSame(asked, next) && !hasRun(rest)) {
      told.push(...toldIn(rest));
      continue;
    }
    if (isSame(open, asked)) dropUnfinished(read);
    else {
      if (open) addNotPending(read, open);
      read.push(asked);
    }
    read.push(...told.splice(0), ...rest);
    open = asked.unanswered ? asked : undefined;
  }
  if (open) addNotPending(read, open);
  return read;
}

/** Our notes of a turn whose reply keeps that they were given: they aren't given again. */
function toldIn(rest: readonly TranscriptItem[]): readonly TranscriptItem[] {
  return rest.some((item) => item.kind === 'assistant' && item.opening)
    ? rest.filter((item) => item.kind === 'user')
    : [];
}

/** The beginning of an answer, which is given anew. */
function dropUnfinished(items: TranscriptItem[]): void {
  for (let last = items.at(-1); last?.kind === 'assistant' && last.calls.length === 0; last = items.at(-1)) items.pop();
}

/** In the model's place, so that the next question doesn't stick to this one: with what it had begun to say, if it had. */
function addNotPending(items: TranscriptItem[], { unanswered }: Turn['asked']): void {
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

/** Whether a tool did something, or may have: one that was cancelled in the middle too. A search changes nothing. */
function hasRun(items: readonly TranscriptItem[]): boolean {
  return items.some((item) => item.kind === 'results' && item.results.some(({ notRun, search }) => !notRun && !search));
}

/** Whether the same is asked: white space at the ends says nothing, images aren't compared. */
function isSame(one: Turn['asked'] | undefined, other: Turn['asked'] | undefined): boolean {
  return (
    one !== undefined && other !== undefined && !one.images && !other.images && one.text.trim() === other.text.trim()
  );
}

function isAsked(item: TranscriptItem): item is Turn['asked'] {
  return item.kind === 'user' && !item.note;
}

/** What comes before the first question is no turn. */
function turnsOf(transcript: Transcript): readonly Turn[] {
  const turns: { asked: Turn['asked']; rest: TranscriptItem[] }[] = [];
  for (const item of transcript) {
    if (isAsked(item)) turns.push({ asked: item, rest: [] });
    else turns.at(-1)?.rest.push(item);
  }
  return turns;
}

/** A question that a caller repeats with nothing in between stands once: the first one failed. */
export function onceAsked(transcript: Transcript): Transcript {
  const said = transcript.filter((item) => item.kind !== 'assistant' || !isNothing(item));
  return said.filter((item, index) => {
    const next = said[index + 1];
    return !(item.kind === 'user' && next?.kind === 'user' && isSame(item, next));
  });
}

/** What a caller may keep of a reply that failed before it began. */
function isNothing({ text, calls, searches, opaque }: AssistantItem): boolean {
  return text.trim() === '' && calls.length === 0 && !searches && !opaque;
}

/**
 * A caller's conversation with what it doesn't say: which of its questions got no answer.
 * @param endOf how the last question of such a conversation ended, where it got none
 */
export function withUnanswered(
  transcript: Transcript,
  endOf: (transcript: Transcript) => Turn['asked']['unanswered'],
): Transcript {
  const asked = transcript.flatMap((item, index) => (isAsked(item) ? [index] : []));
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
