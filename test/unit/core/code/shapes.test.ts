import { expect, it } from 'vitest';
import { noteResult, resultType, type Shapes } from '../../../../src/core/code/shapes';

const shapeOf = (value: unknown) => {
  const shapes: Shapes = new Map();
  noteResult(shapes, 'a/b', value);
  return resultType(shapes, 'a/b');
};
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
const twelve = Array.from({ length: 12 }, (_, index) => `f${index}: number`).join('; ');
const long = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, i) => [`field_of_a_row_${i}`, {}]));

it.each<[string, unknown, string]>([
  ['null', null, 'null'],
  ['a text', 'secret', 'string'],
  ['a big number', 5n, 'number'],
  ['an empty list', [], 'any[]'],
  ['a list of one type', [1, 2], 'number[]'],
  ['a list of several types', [1, 'a', null, 2], '(number | string | null)[]'],
  ['a list whose sixth element differs', [1, 1, 1, 1, 1, 'a'], 'number[]'],
  ['a list whose fifth element differs', [1, 1, 1, 1, 'a'], '(number | string)[]'],
  ['an empty object', {}, 'object'],
  ['a name that is no identifier', { 'a-b': 1, c: true }, '{ "a-b": number; c: boolean }'],
  ['three levels', { a: { b: { c: { d: 1 } } } }, '{ a: { b: { c: object } } }'],
  ['lists in lists', [[[[1]]]], 'any[][][][]'],
  ['12 fields', fields(12), `{ ${twelve} }`],
  ['13 fields', fields(13), `{ ${twelve} /* 1 more */ }`],
  ['a name of 60 characters', { ['x'.repeat(60)]: 1 }, `{ ${'x'.repeat(60)}: number }`],
  ['a longer name', { ['x'.repeat(61)]: 1, b: 2 }, '{ b: number /* 1 more */ }'],
  ['long names alone', { ['x'.repeat(61)]: 1 }, 'object'],
  ['more than has room', { a: long(9), b: long(9), c: long(9) }, '{ a: object; b: object; c: object }'],
])('shows of %s its types', (_, value, shape) => expect(shapeOf(value)).toBe(shape));

it.each<[string, readonly unknown[], string]>([
  ['fields that only some elements have', [[{ a: 1 }, { a: 2, b: 'x' }]], '{ a: number; b?: string }[]'],
  [
    'an empty list after a full one',
    [{ tickets: [{ id: 1 }], next: 2 }, { tickets: [] }],
    '{ tickets: { id: number }[]; next?: number }',
  ],
  ['nothing after a full list', [[{ a: 1 }], []], '{ a: number }[]'],
  ['a few fields after all', [[{ a: 1, b: 1, c: 1 }], [{ c: 1 }]], '{ a?: number; b?: number; c: number }[]'],
  [
    'null and a value',
    [
      { a: null, b: 1 },
      { a: { c: 1 }, b: 1 },
    ],
    '{ a: { c: number } | null; b: number }',
  ],
  [
    'elements that are unlike',
    [[{ a: 1 }, { b: 1, c: 1, d: 1 }]],
    '({ a: number } | { b: number; c: number; d: number })[]',
  ],
  ['an empty object and a full one', [[{}, { a: 1 }]], '{ a: number }[]'],
  ['another kind of result', [{ a: 1, b: 2 }, { c: 1 }], '{ c: number }'],
  [
    'two lists, together too long',
    [[long(8)], [Object.fromEntries(Object.keys(long(8)).map((it) => [`${it}0`, {}]))]],
    `{ ${Array.from({ length: 8 }, (_, i) => `field_of_a_row_${i}0: object`).join('; ')} }[]`,
  ],
])('joins %s', (_, values, shape) => {
  const shapes: Shapes = new Map();
  for (const value of values) noteResult(shapes, 'a/b', value);
  expect(resultType(shapes, 'a/b')).toBe(shape);
});

it('remembers the results of 500 tools', () => {
  const shapes: Shapes = new Map();
  for (let index = 0; index < 501; index++) noteResult(shapes, `a/${index}`, index);
  noteResult(shapes, 'a/1', 'text');
  noteResult(shapes, 'a/1', []);
  expect([resultType(shapes, 'a/0'), resultType(shapes, 'a/1'), resultType(shapes, 'a/500')]).toEqual([
    undefined,
    'any[]',
    'number',
  ]);
});
