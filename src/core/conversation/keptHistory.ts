// Decides which part of a conversation later requests contain. A request repeats the previous one, so that caches and
// thinking stay valid. The history is cut rarely, by a large part, and only then do images become notes.

import { isQuestion, type ResultPart, type Transcript, type TranscriptItem, type UserItem } from './transcript';

/** Returns a result part without its data. The remaining part only names what the data was. */
export function withoutData(part: ResultPart): ResultPart {
  return part.type === 'image' || part.type === 'document'
    ? { type: 'omitted', mimeType: part.mimeType, bytes: part.bytes }
    : part;
}

/** Returns a transcript without the data of images and documents in results. */
export function withoutMedia(transcript: Transcript): Transcript {
  return transcript.map((item) =>
    item.kind === 'results'
      ? { ...item, results: item.results.map((result) => ({ ...result, parts: result.parts.map(withoutData) })) }
      : item,
  );
}

/** The maximum number of bytes of images and documents stored of one turn. VS Code stores them with the chat. */
const TURN_MEDIA_BYTES = 6_000_000;
/** The maximum number of bytes of images and documents in a whole conversation. Beyond them, the history is cut. */
const HISTORY_MEDIA_BYTES = 18_000_000;

/** Returns a turn as it is stored: with its images and documents as the model saw them, unless they are too large. */
export function keptTurn(items: Transcript): Transcript {
  return mediaBytes(items) > TURN_MEDIA_BYTES ? withoutMedia(items) : items;
}

function mediaBytes(items: Transcript): number {
  return sum(items, (item) =>
    item.kind === 'results'
      ? sum(item.results, ({ parts }) => sum(parts, (part) => ('data' in part ? part.bytes : 0)))
      : 0,
  );
}

function sum<Item>(items: readonly Item[], size: (item: Item) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}

/** The approximate number of tokens of an image. Services scale images down to about this. */
export const IMAGE_TOKENS = 1_600;
/** The length of a text with as many tokens, in characters. */
const IMAGE_CHARS = 3 * IMAGE_TOKENS;
const DOCUMENT_BYTES_PER_CHAR = 10;

/** Returns the approximate length of an item in a request, in characters. */
export function itemLength(item: TranscriptItem): number {
  switch (item.kind) {
    case 'user':
      return item.text.length + (item.joined ? JSON.stringify(item.joined).length : 0);
    case 'assistant':
      return item.text.length + sum(item.calls, (call) => JSON.stringify(call.input)?.length ?? 0);
    case 'results':
      return sum(item.results, ({ parts }) => sum(parts, partLength));
  }
}

function partLength(part: ResultPart): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'image':
      return IMAGE_CHARS;
    case 'document':
      return Math.ceil(part.bytes / DOCUMENT_BYTES_PER_CHAR);
    case 'omitted':
      return 0;
  }
}

/**
 * Returns the newest whole turns of a conversation that fit into `maxChars`. If not all turns fit, the oldest are
 * removed until half of that length is left, so that the next turns fit without another cut. The position of the cut
 * depends on the turns alone, so each later request cuts at the same place. A turn is never cut in the middle, since
 * providers reject a call without its result.
 */
export function fittingHistory(transcript: Transcript, maxChars: number): Transcript {
  const turns = turnsOf(transcript);
  const sizes = turns.map((turn) => ({ chars: sum(turn, itemLength), bytes: mediaBytes(turn) }));
  let first = 0;
  /** Turns before this index existed when the history was last cut. */
  let cutBefore = 0;
  let chars = 0;
  let bytes = 0;
  for (const [index, size] of sizes.entries()) {
    chars += size.chars;
    bytes += size.bytes;
    if (chars <= maxChars && bytes <= HISTORY_MEDIA_BYTES) continue;
    // The newest turn stays if it fits alone, since the next question is about it.
    const last = size.chars <= maxChars ? index : index + 1;
    while (first < last && chars > maxChars / 2) chars -= sizes[first++]?.chars ?? 0;
    for (const [at, kept] of turns.slice(first, last).entries()) {
      const shorter = sum(withoutMedia(kept), itemLength);
      chars -= (sizes[first + at]?.chars ?? 0) - shorter;
      sizes[first + at] = { chars: shorter, bytes: 0 };
    }
    bytes = sum(sizes.slice(first, index + 1), (it) => it.bytes);
    cutBefore = last;
  }
  return turns.slice(first).flatMap((turn, at) => (first + at < cutBefore ? withoutMedia(turn) : turn));
}

/** A question and everything that followed. */
type AskedTurn = readonly [question: UserItem, ...TranscriptItem[]];

/** Returns the turns of a conversation. Items before its first question belong to no turn. */
export function turnsOf(transcript: Transcript): readonly AskedTurn[] {
  const turns: [UserItem, ...TranscriptItem[]][] = [];
  for (const item of transcript) {
    if (isQuestion(item)) turns.push([item]);
    else turns.at(-1)?.push(item);
  }
  return turns;
}
