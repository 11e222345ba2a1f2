import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalParts } from '../../../../src/core/util/equalParts';
import { groupBy } from '../../../../src/core/util/groupBy';
import { longHash, shortHash } from '../../../../src/core/util/hash';
import { Listeners } from '../../../../src/core/util/listeners';
import { isTooDeep, jsonText, sizeOf, TOO_DEEP } from '../../../../src/core/util/objects';
import { trimEndOf, trimOf } from '../../../../src/core/util/trim';
import { holds } from '../../property';

it('a long text’s hash changes with each character, and repeats', () => {
  const text = 'a tool with a definition '.repeat(40);
  const others = Array.from(text, (_, i) => `${text.slice(0, i)}#${text.slice(i + 1)}`);
  expect(new Set([text, ...others].map(longHash)).size).toBe(others.length + 1);
  expect(longHash(`${text.slice(0, 7)}${text.slice(7)}`)).toBe(longHash(text));
  expect(longHash('ab')).not.toBe(longHash('ba'));
});

it.each([
  ['', '811c9dc5'],
  ['a', '2b24d044'],
])('the short hash of %j is %s', (text, hash) => expect(shortHash(text)).toBe(hash));

it('a listener that fails keeps no other from hearing, and is reported', async () => {
  const listeners = new Listeners<number>();
  const heard: number[] = [];
  const reported = new Promise<unknown>((resolve) => {
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => {
      for (const listener of before) process.on('uncaughtException', listener);
      resolve(error);
    });
  });
  listeners.add(() => {
    throw new Error('a bug');
  });
  const stop = listeners.add((value) => heard.push(value));
  listeners.tell(1);
  expect(heard).toEqual([1]);
  expect(await reported).toMatchObject({ message: 'a bug' });
  stop();
  listeners.clear();
  listeners.tell(2);
  expect(heard).toEqual([1]);
});

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

it('takes the signs away at the ends, and nothing in between', () => {
  const text = fc.string({ unit: fc.constantFrom('.', ' ', 'a', '"'), maxLength: 12 });
  holds([text], (each) => {
    expect(trimEndOf(each, '. ')).toBe(each.replace(/[. ]+$/, ''));
    expect(trimOf(each, '. ')).toBe(each.replace(/^[. ]+|[. ]+$/g, ''));
  });
});
