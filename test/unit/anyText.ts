import fc from 'fast-check';

/** Any characters there are, halves of pairs too. fast-check's own `unit: 'binary'` takes seconds to get ready. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  const points = fc.array(fc.integer({ min: 0, max: 0x10ffff }), maxLength === undefined ? {} : { maxLength });
  return points.map((codes) => String.fromCodePoint(...codes));
}
