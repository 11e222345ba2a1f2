/** The maximum number of encoded texts of one kind that are decoded. */
const MAX_ENCODED = 50;
/** The maximum lengths of an encoded text and of its decoded form, in characters. */
const MAX_CODE = 8_000;
const MIN_DECODED = 8;

const HEX = /^(?:[0-9a-f]{2}){12,}$/i;
/** Encodings with their decoders. Base64 may be split into lines. */
const CODES: readonly (readonly [code: RegExp, decode: (code: string) => string | undefined])[] = [
  [/[A-Za-z0-9+/_-]{20,}={0,2}/g, (code) => (HEX.test(code) ? fromHex(code) : fromBase64(code))],
  [/(?:[A-Za-z0-9+/]{12,76}\n){1,40}[A-Za-z0-9+/]{2,76}={0,2}/g, (code) => fromBase64(code.replaceAll('\n', ''))],
  [/(?:%[0-9a-f]{2}){8,}/gi, (code) => fromHex(code.replaceAll('%', ''))],
  [/(?:\\(?:x|u00)[0-9a-f]{2}){8,}/gi, (code) => fromHex(code.replace(/\\(?:x|u00)/gi, ''))],
];
/** Returns the decoded form of each encoded text that decodes to plain text. */
export function decodedIn(text: string): readonly string[] {
  return CODES.flatMap(([code, decode]) =>
    [...text.matchAll(code)].slice(0, MAX_ENCODED).flatMap(([token]) => {
      const decoded = decode(token.slice(0, MAX_CODE)) ?? '';
      return decoded.length >= MIN_DECODED && /^[\t\n\r -~]+$/.test(decoded) ? [decoded] : [];
    }),
  );
}

function fromHex(digits: string): string {
  return String.fromCharCode(...(digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)));
}

function fromBase64(token: string): string | undefined {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}
