import { expect, it } from 'vitest';
import { fitArguments } from '../../../../src/core/turn/fitArguments';

const NUMBER = { type: 'number' };
const LIST = { type: 'array', items: { type: 'string' } };

it.each([
  ['a number as text', NUMBER, '4711', 4711],
  ['a whole number as text', { type: 'integer' }, '12', 12],
  ['a number or nothing', { anyOf: [NUMBER, { type: 'null' }] }, '4711', 4711],
  ['a truth as text', { type: 'boolean' }, 'true', true],
  ['a list as text', LIST, '["a", "b"]', ['a', 'b']],
  ['an object as text', { type: 'object' }, '{"a": 1}', { a: 1 }],
  ['a text as number', { type: 'string' }, 4711, '4711'],
])('%s is converted', (_, schema, given, meant) => {
  expect(fitArguments({ a: given }, { properties: { a: schema } })).toEqual({ a: meant });
});

it.each([
  ['a number that is none', NUMBER, 'many'],
  ['a fraction for a whole number', { type: 'integer' }, '1.5'],
  ['a text that looks like a number', { type: ['string', 'number'] }, '4711'],
  ['what a schema leaves open', { anyOf: [NUMBER, { $ref: '#/x' }] }, '4711'],
  ['what no type says', { description: 'any' }, '4711'],
  ['a word for a list', LIST, 'a'],
  ['an object for a number', NUMBER, {}],
])('%s stays as it is', (_, schema, given) => {
  const input = { a: given };
  expect(fitArguments(input, { properties: { a: schema } })).toBe(input);
});

it('null is left out, unless it is required or allowed', () => {
  const properties = { a: NUMBER, b: NUMBER, c: { type: ['number', 'null'] }, d: {} };
  const given = { a: null, b: null, c: null, d: null };
  expect(fitArguments(given, { properties, required: ['b'] })).toEqual({ b: null, c: null, d: null });
});
