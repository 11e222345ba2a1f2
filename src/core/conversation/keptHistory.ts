import type { ResultPart, Transcript, TranscriptItem } from './transcript';

/** A part as it is kept: what it was, without its data. */
export function withoutData(part: ResultPart): ResultPart {
  return part.type === 'image' || part.type === 'document'
    ? { type: 'omitted', mimeType: part.mimeType, bytes: part.bytes }
    : part;
}

/** A transcript as it is kept: what images and documents there were is said, their data is gone. */
export function withoutMedia(transcript: Transcript): Transcript {
  return transcript.map((item) =>
    item.kind === 'results'
      ? { ...item, results: item.results.map((result) => ({ ...result, parts: result.parts.map(withoutData) })) }
      : item,
  );
}

/** Characters that an item takes in a request, roughly: what its texts hold. */
function itemLength(item: TranscriptItem): number {
  switch (item.kind) {
    case 'user':
      return item.text.length;
    case 'assistant':
      return item.text.length + item.calls.reduce((sum, call) => sum + (JSON.stringify(call.input)?.length ?? 0), 0);
    case 'results':
      return item.results.reduce(
        (sum, result) =>
          sum + result.parts.reduce((inner, part) => inner + (part.type === 'text' ? part.text.length : 0), 0),
        0,
      );
  }
}

/**
 * The newest whole turns that fit into `maxChars`. What a lost turn had discovered is simply searched for again.
 * A turn is never cut in the middle: a call without its result is rejected by every provider.
 */
export function newestTurns(transcript: Transcript, maxChars: number): Transcript {
  let start = transcript.length;
  let length = 0;
  for (let index = transcript.length - 1; index >= 0; index--) {
    const item = transcript[index];
    if (!item) break;
    length += itemLength(item);
    if (length > maxChars) break;
    if (item.kind === 'user' && !item.note) start = index;
  }
  return transcript.slice(start);
}
