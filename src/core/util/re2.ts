import { once } from './once';

/** Returns RE2 in JavaScript. It is loaded when first needed: it has 150 kB, and most sessions use no pattern. */
export const re2 = once(() => (require('re2js') as typeof import('re2js')).RE2JS);
