import { expect, it } from 'vitest';
import { isTooDeep } from '../../../../src/core/util/objects';

it('a value of more than 500 levels is too deep', () => {
  const nested = (levels: number) => {
    let value: unknown = {};
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
    return value;
  };
  expect([0, 500, 501, 20_000].map((levels) => isTooDeep(nested(levels)))).toEqual([false, false, true, true]);
  expect([isTooDeep(null), isTooDeep('text'), isTooDeep(Array(5_000).fill([1]))]).toEqual([false, false, false]);
});
