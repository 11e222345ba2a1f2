import fc from 'fast-check';

/**
 * Text of any characters, including halves of surrogate pairs. fast-check's own `unit: 'binary'` takes seconds to
 * prepare.
 */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  const points = fc.array(fc.integer({ min: 0, max: 0x10ffff }), maxLength === undefined ? {} : { maxLength });
  return points.map((codes) => String.fromCodePoint(...codes));
}
