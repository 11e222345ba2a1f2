import type { RE2JS } from 're2js';

let loaded: typeof RE2JS | undefined;

/**
 * RE2 in JavaScript, loaded when a pattern first needs it: 150 kB that a window needn't read when it opens, since most
 * sessions use no pattern at all.
 */
export function re2(): typeof RE2JS {
  loaded ??= (require('re2js') as typeof import('re2js')).RE2JS;
  return loaded;
}
