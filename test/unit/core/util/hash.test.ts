import { expect, it } from 'vitest';
import { longHash, shortHash } from '../../../../src/core/util/hash';

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
