/**
 * The part of a conversation that later requests still contain. A request repeats the one before it and adds to it, so
 * that caches and thinking stay valid. The history is cut rarely and by a large part, and images become notes only when
 * it is cut.
 */
import type { ResultPart, Transcript, TranscriptItem } from './transcript';

/** Returns a part without its data. It only names what it was. */
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

/**
 * The most bytes of images and documents that a turn leaves behind. VS Code writes them to its storage with the chat.
 */
const TURN_MEDIA_BYTES = 6_000_000;
/** The same for a whole conversation. Beyond it, the history is cut. */
const HISTORY_MEDIA_BYTES = 18_000_000;

/**
 * Returns a turn as it is kept: with its images and documents, as the model has seen them, unless they are too large.
 */
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

/** The length of an image, in characters of text. Services count up to 1,600 tokens. */
const IMAGE_CHARS = 4_800;
/** The bytes of a document that count as one character. */
const DOCUMENT_BYTES_PER_CHAR = 10;

/** Returns the approximate length of an item in a request, in characters. */
function itemLength(item: TranscriptItem): number {
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
 * Returns the newest whole turns of a conversation that fit into `maxChars`. When they no longer fit, the oldest turns
 * are removed until half of that length is left, so that the next turns fit without another cut. The position of the
 * cut depends on the turns alone, so each later request cuts at the same place. A turn is never cut in the middle,
 * since providers reject a call without its result.
 */
export function fittingHistory(transcript: Transcript, maxChars: number): Transcript {
  const turns = turnsOf(transcript);
  const sizes = turns.map((turn) => ({ chars: sum(turn, itemLength), bytes: mediaBytes(turn) }));
  let first = 0;
  /** The turns before this one existed when the history was last cut. */
  let cutBefore = 0;
  let chars = 0;
  let bytes = 0;
  for (const [index, size] of sizes.entries()) {
    chars += size.chars;
    bytes += size.bytes;
    if (chars <= maxChars && bytes <= HISTORY_MEDIA_BYTES) continue;
    // The newest turn stays if it fits by itself, since the next question is about it.
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

/** Returns the turns of a conversation. Items before its first question belong to none. */
function turnsOf(transcript: Transcript): readonly Transcript[] {
  const turns: TranscriptItem[][] = [];
  for (const item of transcript) {
    if (item.kind === 'user' && !item.note) turns.push([item]);
    else turns.at(-1)?.push(item);
  }
  return turns;
}
