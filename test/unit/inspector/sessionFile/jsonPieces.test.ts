import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonError, jsonPieces } from '../../../../src/inspector/sessionFile/jsonPieces';

function join(text: string): { [field: string]: unknown } {
  const whole: { [field: string]: unknown } = Object.create(null);
  for (const { field, index, value } of jsonPieces(text)) {
    // As in JSON, the last of two equal fields counts.
    if (index === undefined) whole[field] = value;
    else whole[field] = index === 0 ? [value] : [...(whole[field] as unknown[]), value];
  }
  return whole;
}

const object = fc.dictionary(
  fc.string(),
  fc.jsonValue().filter((value) => !(Array.isArray(value) && value.length === 0)),
);

describe('JSON in pieces', () => {
  it('is what it is as a whole, however it is indented', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        expect({ ...join(JSON.stringify(value, undefined, indent)) }).toEqual({ ...JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  it('is refused wherever it is refused as a whole', () => {
    fc.assert(
      fc.property(
        object,
        fc.nat({ max: 200 }),
        fc.constantFrom('', ',', '}', ']', '"', '{', ':', 'x', '\\'),
        (value, at, put) => {
          const text = JSON.stringify(value);
          const changed = text.slice(0, at) + put + text.slice(at + 1);
          let valid = true;
          try {
            JSON.parse(changed);
          } catch {
            valid = false;
          }
          if (valid) expect(() => join(changed)).not.toThrow();
          else expect(() => join(changed)).toThrow(JsonError);
        },
      ),
      { numRuns: 500 },
    );
  });
});
