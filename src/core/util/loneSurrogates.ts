/**
 * Replaces lone surrogates (halves of pairs) in a JSON text. A result has one if it was cut inside a pair. Services refuse them ("no low
 * surrogate in string") in every later request of the conversation. In JSON only a half is written as an escape, never
 * a whole pair.
 */
export function withoutLoneSurrogates(json: string): string {
  return json.includes('\\ud')
    ? json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (it) => (it.startsWith('\\ud') ? '\\ufffd' : it))
    : json;
}
