/**
 * Returns a short, stable hash of a text: 32-bit FNV-1a over its UTF-16 units, as 8 hexadecimal digits. Not secure.
 * http://www.isthe.com/chongo/tech/comp/fnv
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ (text.charCodeAt(i) & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (text.charCodeAt(i) >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Returns a longer hash for telling apart a limited number of texts: the text's length and 53 bits of cyrb53, by bryc,
 * in the public domain. Takes a few milliseconds for a million characters. Not for security.
 * https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function longHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixed = (one: number, other: number) =>
    Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  const [top, bottom] = [mixed(high, low), mixed(low, high)];
  return `${text.length}-${(0x1_0000_0000 * (top & 0x1f_ffff) + (bottom >>> 0)).toString(36)}`;
}
