import fc from 'fast-check';
import { expect, it } from 'vitest';
import { topK } from '../../../../../src/core/search/rank/topK';
import { holds } from '../../../property';

it('the best few are those of a whole sort', () => {
  holds(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      (scores, most) => {
        const slots = scores.map((_, slot) => slot);
        const order = (a: number, b: number) => a - b;
        const sorted = slots.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || order(a, b));
        const best = topK(Int32Array.from(slots), Float64Array.from(scores), most, order);
        expect([...best].sort(order)).toEqual(sorted.slice(0, most).sort(order));
      },
    ),
  );
});
