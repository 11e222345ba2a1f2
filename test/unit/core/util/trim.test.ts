import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trimEndOf, trimOf } from '../../../../src/core/util/trim';
import { holds } from '../../property';

it('takes the signs away at the ends, and nothing in between', () => {
  const text = fc.string({ unit: fc.constantFrom('.', ' ', 'a', '"'), maxLength: 12 });
  holds(
    fc.property(text, (each) => {
      expect(trimEndOf(each, '. ')).toBe(each.replace(/[. ]+$/, ''));
      expect(trimOf(each, '. ')).toBe(each.replace(/^[. ]+|[. ]+$/g, ''));
    }),
  );
});
