/**
 * A short, stable name for a text: 32-bit FNV-1a over its UTF-16 code units, as 8 hexadecimal digits. Not for security.
 * http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ (text.charCodeAt(i) & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (text.charCodeAt(i) >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
