/** Bytes that are decoded at once: a few milliseconds' worth. */
const STEP = 500_000;

/** The text of a file in UTF-8, in steps between which others may have their turn; undefined if it is no text. */
export function* decodeText(bytes: Uint8Array): Generator<undefined, string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      pieces.push(decoder.decode(bytes.subarray(at, at + STEP), { stream: true }));
      yield undefined;
    }
    pieces.push(decoder.decode());
  } catch {
    return undefined;
  }
  return pieces.join('');
}
