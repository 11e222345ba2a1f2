import type { RE2JS } from 're2js';

let loaded: typeof RE2JS | undefined;

/**
 * RE2 in JavaScript, loaded when a pattern first needs it: it is 150 kB of the 370 that the extension would have to read
 * when a window opens, and most sessions use no pattern at all.
 */
export function re2(): typeof RE2JS {
  loaded ??= (require('re2js') as typeof import('re2js')).RE2JS;
  return loaded;
}
