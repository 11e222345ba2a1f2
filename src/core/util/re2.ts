import type { RE2JS } from 're2js';

let loaded: typeof RE2JS | undefined;

/** Returns RE2 in JavaScript. It is loaded when first needed: it has 150 kB, and most sessions use no pattern. */
export function re2(): typeof RE2JS {
  loaded ??= (require('re2js') as typeof import('re2js')).RE2JS;
  return loaded;
}
