import { expect, it } from 'vitest';
import { equalParts } from '../../../../src/core/util/equalParts';
import { groupBy } from '../../../../src/core/util/groupBy';

it('a list is split into few parts of about one size', () => {
  const split = (count: number) =>
    equalParts(
      Array.from({ length: count }).map((_, index) => index),
      3,
    );
  expect([0, 3, 4, 7].map(split)).toEqual([
    [],
    [[0, 1, 2]],
    [
      [0, 1],
      [2, 3],
    ],
    [[0, 1, 2], [3, 4, 5], [6]],
  ]);
});

it('groups keep the order of their items', () => {
  const groups = groupBy(['b1', 'a1', 'b2'], ([key]) => key);
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ]);
});
