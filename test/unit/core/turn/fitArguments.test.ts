import { describe, expect, it } from 'vitest';
import { fitArguments, placeOf, unknownArguments } from '../../../../src/core/turn/fitArguments';
import { schema } from './world';

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
])('%s is converted', (_, of, given, meant) => {
  expect(fitArguments({ a: given }, { properties: { a: of } })).toEqual({ a: meant });
});

it.each([
  ['a number that is none', NUMBER, 'many'],
  ['a fraction for a whole number', { type: 'integer' }, '1.5'],
  ['a text that looks like a number', { type: ['string', 'number'] }, '4711'],
  ['what a schema leaves open', { anyOf: [NUMBER, { $ref: '#/x' }] }, '4711'],
  ['what no type says', { description: 'any' }, '4711'],
  ['a word for a list', LIST, 'a'],
  ['an object for a number', NUMBER, {}],
])('%s stays as it is', (_, of, given) => {
  const input = { a: given };
  expect(fitArguments(input, { properties: { a: of } })).toBe(input);
});

it('null is left out, unless it is required or allowed', () => {
  const properties = { a: NUMBER, b: NUMBER, c: { type: ['number', 'null'] }, d: {}, e: { ...NUMBER, nullable: true } };
  const given = { a: null, b: null, c: null, d: null, e: null };
  expect(fitArguments(given, { properties, required: ['b'] })).toEqual({ b: null, c: null, d: null, e: null });
});

const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});
const MAIL = { ...schema({ id: {}, body: object('subject', 'to') }, ['body']), additionalProperties: true };

describe('an argument one level up', () => {
  it.each([
    [{ subject: 'Hi' }, { body: { subject: 'Hi' } }],
    [
      { id: 1, subject: 'Hi', to: 'x' },
      { id: 1, body: { subject: 'Hi', to: 'x' } },
    ],
    [{ body: { subject: 'Hi' }, to: 'x' }, { body: { subject: 'Hi', to: 'x' } }],
    [{ body: '{"subject":"Hi"}', to: 'x' }, { body: { subject: 'Hi', to: 'x' } }],
  ])('%j is moved into its object', (given, placed) => {
    expect(fitArguments(given, MAIL)).toEqual(placed);
  });

  it.each([
    ['nothing has it', { cc: 'x' }, MAIL],
    ['its object has it already', { body: { to: 'y' }, to: 'x' }, MAIL],
    ['its object is none', { body: 'text', to: 'x' }, MAIL],
    ['two objects have it', { to: 'x' }, schema({ a: object('to'), b: object('to') })],
    ['the tool itself has it', { to: 'x' }, schema({ to: {}, b: object('to') })],
    ['its object is in a list', { to: 'x' }, schema({ a: { type: 'array', items: object('to') } })],
    ['its object is deeper', { to: 'x' }, schema({ a: { type: 'object', properties: { b: object('to') } } })],
    ['the schema has alternatives', { to: 'x' }, { ...schema({ a: object('to') }), anyOf: [object('to')] }],
  ])('stays if %s', (_, given, of) => {
    expect(fitArguments(given, of)).toBe(given);
  });
});

it('the place of an argument may be deeper, or in a list', () => {
  expect(placeOf('to', schema({ a: { type: 'object', properties: { b: object('to') } } }))).toBe('a.b');
  expect(placeOf('to', schema({ a: { type: 'array', items: object('to') } }))).toBe('a[0]');
});

it.each([
  ['says nothing of others', {}, ['x']],
  ['allows no others', { additionalProperties: false }, ['x']],
  ['allows others', { additionalProperties: {} }, []],
  ['allows others of a pattern', { patternProperties: { x: {} } }, []],
  ['has others in its parts', { allOf: [object('x')] }, []],
  ['names none', { properties: {} }, []],
])('an argument is unknown to a schema that %s: %j', (_, more, names) => {
  expect(unknownArguments({ a: 1, x: 2 }, { ...schema({ a: {} }), ...more })).toEqual(names);
});
