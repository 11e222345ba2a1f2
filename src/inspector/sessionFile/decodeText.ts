/** The number of bytes that are decoded in one step, which takes a few milliseconds. */
const STEP = 500_000;

/**
 * Decodes a UTF-8 file in steps, so that the caller can yield to the event loop. Returns undefined if it isn't text.
 */
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
