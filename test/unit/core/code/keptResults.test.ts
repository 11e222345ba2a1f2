import { expect, it } from 'vitest';
import { KeptResults } from '../../../../src/core/code/keptResults';

const MOST = 'x'.repeat(8_000_000);

it('keeps results of 8,000,000 characters, and of 32,000,000 in all', () => {
  const kept = new KeptResults();
  const [one, other] = [kept.of('one'), kept.of('other')];
  expect(one.keep('math/sum', `${MOST}x`)).toBeUndefined();
  const names = ['a', 'b', 'c'].map((of) => one.keep(of, MOST));
  expect([...names, other.keep('d', MOST)]).toEqual(['r1', 'r2', 'r3', 'r1']);
  expect(one.list().map(({ of }) => of)).toEqual(['a', 'b', 'c']);
  expect(one.keep('e', '')).toBe('r4');
  expect(one.get('r1')?.of).toBe('a');
  expect(other.keep('f', 'x')).toBe('r2');
  expect([one.get('r1'), one.get('r2')?.of]).toEqual([undefined, 'b']);
  expect(other.list().map(({ of }) => of)).toEqual(['d', 'f']);
  expect(other.keep('g', MOST.slice(2))).toBe('r3');
  expect(one.list().map(({ id }) => id)).toEqual(['r2', 'r3', 'r4']);
});
