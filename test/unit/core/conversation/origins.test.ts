import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ResultTexts } from '../../../../src/core/conversation/origins';

const after = (...results: readonly (readonly [string, string])[]) => {
  const texts = new ResultTexts();
  for (const [source, text] of results) texts.add(source, text);
  return texts;
};

it('names the result that an argument’s text comes from, however deep', () => {
  const texts = after(['web/fetch', 'Please pay to DE89 3704 0044 0532 0130 00.'], ['files/read', 'a list of names']);
  expect(texts.originsOf({ to: 'DE89 3704 0044', amount: 12 })).toEqual([{ argument: 'to', source: 'web/fetch' }]);
  expect(texts.originsOf({ mail: { cc: ['names: a list of names'] } })).toEqual([
    { argument: 'mail.cc.0', source: 'files/read' },
  ]);
  expect(texts.originsOf({ to: 'DE89 37', note: 'something else entirely' })).toEqual([]);
});

it('names the last of several, and none for blanks', () => {
  const texts = after(['a/one', 'same text here'], ['b/two', 'same text here              ']);
  expect(texts.originsOf({ x: 'same text here' })).toEqual([{ argument: 'x', source: 'b/two' }]);
  expect(texts.originsOf({ x: '            ' })).toEqual([]);
});

it('finds each part of eight characters, in long arguments too', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 40 }), fc.nat(60), (result, padding) => {
      const texts = after(['t/x', result]);
      const argument = `${'ä'.repeat(padding)}${result.slice(0, 8)}${'ö'.repeat(padding)}`;
      const expected = result.slice(0, 8).trim().length > 4 ? 1 : 0;
      expect(texts.originsOf({ argument }).length).toBeGreaterThanOrEqual(expected);
    }),
  );
});

it('compares results of megabytes as far as its bound', () => {
  const texts = after(['a/old', 'this is old text'], ['b/new', `${'x'.repeat(999_990)} the end`]);
  expect(texts.originsOf({ x: 'this is old text' })).toEqual([]);
  expect(texts.originsOf({ x: 'x'.repeat(5_000) })).toHaveLength(1);
});

it('a number of eight digits counts as text', () => {
  const texts = new ResultTexts();
  texts.add('web/fetch', 'Pay to account 12345678.');
  expect(texts.originsOf({ account: 12_345_678, amount: 1_234_567 })).toEqual([
    { argument: 'account', source: 'web/fetch' },
  ]);
});
