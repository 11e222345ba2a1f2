import { expect, it } from 'vitest';
import { isTooDeep, jsonText, sizeOf, TOO_DEEP } from '../../../../src/core/util/objects';

const nested = (levels: number) => {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
};

it('a value of more than 500 levels is too deep', () => {
  expect([0, 500, 501, 20_000].map((levels) => isTooDeep(nested(levels)))).toEqual([false, false, true, true]);
  expect([isTooDeep(null), isTooDeep('text'), isTooDeep(Array(5_000).fill([1]))]).toEqual([false, false, false]);
});

it('a value is written as JSON unless it is too deep', () => {
  expect([{ a: [1] }, 'x', undefined, nested(100_000)].map(jsonText)).toEqual(['{"a":[1]}', '"x"', '', TOO_DEEP]);
});

it('the size of a value has its texts, names and parts', () => {
  expect(sizeOf({ ab: ['xyz', 1, null], c: true }, 100)).toBe(1 + 2 + 1 + 3 + 1 + 1 + 1 + 1);
  expect(sizeOf(nested(100_000), 1_000_000)).toBe(350_001);
  expect(sizeOf(Array(100).fill('x'.repeat(10)), 50)).toBeLessThan(70);
});
